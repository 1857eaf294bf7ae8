//! Tests of the whole program, from outside.

mod explorer;
mod layers;
mod pty;
