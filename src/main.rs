//! ipspect: arguments in, a front end out.

fn main() {}
