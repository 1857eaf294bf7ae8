//! Who agrees to queries that cost: a person, whom the client asks.
//!
//! The revisions of the protocol have two ways for that, which exclude each other. With a handshake the server asks the client in the midst of
//! a call. Since 2026-07-28 the call ends with the question, and the client makes it again with the answer. What was asked is kept here, so
//! that nothing which comes back with the answer can allow more.

use std::{
    cell::Cell,
    collections::VecDeque,
    rc::Rc,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicU64},
};

use rmcp::{
    RoleServer,
    model::{
        CallToolRequestParams, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult,
        ElicitationAction, ElicitationSchema, InputRequest, InputRequiredResult, JsonObject,
        ProtocolVersion, ServerRequest,
    },
    service::{Peer, PeerRequestOptions, RequestContext, RequestHandle},
};
use tokio::{runtime::Handle, sync::Semaphore};

use super::slots::Slot;

use crate::{
    cli::console::Consent,
    engine::{
        Error, Kind, Result,
        answers::{Allowance, Budget},
    },
    report::counted,
};

/// What the question is called in a call that is made again.
const QUESTION: &str = "spend";
/// The most questions in the midst of calls: each has a thread that waits.
const MOST_ASKED: usize = 32;
/// The most questions that wait for an answer; older ones are forgotten.
const MOST_OPEN: usize = 64;

/// The queries that this server may send, and the questions about them that are open.
#[derive(Debug)]
pub(super) struct Paying {
    pub(super) budget: Arc<Budget>,
    /// What `--spend` allowed.
    pub(super) allowed: u64,
    open: Mutex<OpenQuestions>,
    /// Room for questions in the midst of calls.
    asking: Semaphore,
}

#[derive(Debug, Default)]
struct OpenQuestions {
    last: u64,
    waiting: VecDeque<OpenQuestion>,
}

/// A question that a client was given.
#[derive(Debug)]
struct OpenQuestion {
    state: String,
    tool: String,
    arguments: JsonObject,
    queries: u64,
}

/// How the client of a call asks a person.
#[derive(Clone, Debug)]
pub(super) enum Asking {
    /// In the midst of the call, which leaves its place to others meanwhile.
    Meanwhile(Peer<RoleServer>, Arc<Slot>),
    /// By a call that is made again; here what a person agreed to in it.
    Again(u64),
    /// Not at all.
    Nobody,
}

impl Paying {
    pub(super) fn new(queries: u64) -> Self {
        Self {
            budget: Budget::of(queries),
            allowed: queries,
            open: Mutex::default(),
            asking: Semaphore::new(MOST_ASKED),
        }
    }

    /// How the client asks, as it says of itself, and what it answered already.
    ///
    /// # Errors
    /// [`Kind::Guard`] where a person declined, or the answer is to no question of this server.
    pub(super) fn asking(
        &self,
        request: &CallToolRequestParams,
        (context, slot): (&RequestContext<RoleServer>, &Arc<Slot>),
    ) -> Result<Asking> {
        let capabilities = context.client_capabilities();
        // A client that names no kind of question means forms.
        let asks = capabilities
            .and_then(|can| can.elicitation)
            .is_some_and(|kinds| kinds.form.is_some() || kinds.url.is_none());
        let is_later = context
            .protocol_version()
            .is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
        if !asks {
            return Ok(Asking::Nobody);
        }
        if !is_later {
            return Ok(Asking::Meanwhile(context.peer.clone(), Arc::clone(slot)));
        }
        self.agreed(request).map(Asking::Again)
    }

    /// What a person agreed to, where the call brings an answer. A question is answered once.
    fn agreed(&self, request: &CallToolRequestParams) -> Result<u64> {
        let Some(state) = &request.request_state else {
            return Ok(0);
        };
        let question = {
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            let place = open.waiting.iter().position(|own| own.state == *state);
            place.and_then(|place| open.waiting.remove(place))
        };
        let arguments = request.arguments.clone().unwrap_or_default();
        let own = question.filter(|own| own.tool == request.name && own.arguments == arguments);
        let question = own.ok_or_else(|| {
            let message = "the answer is to no open question about this call: nothing was sent";
            Error::new(Kind::Guard, message).hint("call the tool again, without an answer")
        })?;
        let answers = request.input_responses.as_ref();
        let answer = answers.and_then(|all| all.get(QUESTION)).cloned();
        let answer = answer.and_then(|answer| serde_json::from_value::<ElicitResult>(answer).ok());
        match answer.map(|answer| answer.action) {
            Some(ElicitationAction::Accept) => Ok(question.queries),
            Some(_) => Err(declined()),
            None => {
                let message =
                    "there is no answer that can be read to the question: nothing was sent";
                Err(Error::new(Kind::Guard, message)
                    .hint("its action is accept, decline or cancel; call the tool again"))
            }
        }
    }

    /// The question that ends a call, to be made again.
    pub(super) fn question(
        &self,
        request: &CallToolRequestParams,
        queries: u64,
        about: &str,
    ) -> InputRequiredResult {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.last += 1;
        let state = format!("{}-{:016x}", open.last, fastrand::u64(..));
        if open.waiting.len() == MOST_OPEN {
            open.waiting.pop_front();
        }
        open.waiting.push_back(OpenQuestion {
            state: state.clone(),
            tool: request.name.to_string(),
            arguments: request.arguments.clone().unwrap_or_default(),
            queries,
        });
        let left = self.budget.left().saturating_sub(queries);
        let form = ElicitRequest::new(self.form(queries, left, about));
        let question = InputRequest::Elicitation(form);
        InputRequiredResult::new(Some([(QUESTION.to_owned(), question)].into()), Some(state))
    }

    fn form(&self, queries: u64, left: u64, about: &str) -> ElicitRequestParams {
        ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: format!(
                "ipspect: send {} for what no local feed or cached answer has of {about}? After that {left} of --spend {} are left.",
                counted(queries, "paid query"),
                self.allowed,
            ),
            // Nothing to fill in: to accept it is the answer.
            requested_schema: ElicitationSchema::new(std::collections::BTreeMap::new()),
        }
    }

    /// The consent for one call about something, which counts what it sends. Where the call has to be made again for it, `open` is for how
    /// many queries.
    pub(super) fn consent(
        self: &Arc<Self>,
        asking: Asking,
        about: String,
        (open, sent): (Rc<Cell<u64>>, Arc<AtomicU64>),
    ) -> Consent {
        let paying = Arc::clone(self);
        Box::new(move |queries| {
            let (paying, asking) = (Arc::clone(&paying), asking.clone());
            let (about, open, sent) = (about.clone(), Rc::clone(&open), Arc::clone(&sent));
            Box::pin(async move {
                let allowance = paying.allow(queries, asking, &about, &open).await?;
                Ok(allowance.counted_in(&sent))
            })
        })
    }

    async fn allow(
        &self,
        queries: u64,
        asking: Asking,
        about: &str,
        open: &Cell<u64>,
    ) -> Result<Allowance> {
        let allowance = self.budget.take(queries);
        let allowed = allowance.queries();
        if queries == 0 {
            return Ok(allowance);
        }
        if allowed == 0 {
            return Err(self.none_left(queries));
        }
        match asking {
            Asking::Again(agreed) if agreed >= allowed => Ok(allowance),
            Asking::Again(_) => {
                open.set(allowed);
                Err(Error::new(Kind::Guard, "a person is asked first"))
            }
            Asking::Meanwhile(peer, slot) => {
                let Ok(_one) = self.asking.try_acquire() else {
                    let message = "too many questions wait for a person: nothing was sent";
                    return Err(
                        Error::new(Kind::Guard, message).hint("call again when they are answered")
                    );
                };
                let form = self.form(allowed, self.budget.left(), about);
                match slot.aside(asked(&peer, form)).await? {
                    ElicitationAction::Accept => Ok(allowance),
                    _ => Err(declined()),
                }
            }
            Asking::Nobody => {
                let message = format!(
                    "it would cost {} of the {} of --spend, and this client cannot ask a person: nothing was sent",
                    counted(queries, "query"),
                    self.allowed,
                );
                Err(Error::new(Kind::Guard, message).hint(BY_A_PERSON))
            }
        }
    }

    fn none_left(&self, queries: u64) -> Error {
        let cost = counted(queries, "query");
        if self.budget.sent() < self.allowed {
            let message = format!(
                "it would cost {cost}, and what is left of --spend {} is held by other calls: nothing was sent",
                self.allowed
            );
            return Error::new(Kind::Guard, message).hint("call again when these are answered");
        }
        let message = match self.allowed {
            0 => format!(
                "it would cost {cost}, and the server was started without --spend: nothing was sent"
            ),
            all => format!(
                "it would cost {cost}, and the {all} of --spend are used up: nothing was sent"
            ),
        };
        Error::new(Kind::Guard, message).hint(
            "a person starts it with `ipspect mcp --spend N`, or types `ipspect lookup ADDRESS`; without `spend` local answers are free",
        )
    }
}

/// Asks a person through the client, which is told where nobody waits for the answer any longer.
async fn asked(peer: &Peer<RoleServer>, form: ElicitRequestParams) -> Result<ElicitationAction> {
    let failed = |why: &dyn std::fmt::Display| {
        let message = format!("the client did not ask a person: {why}");
        Error::new(Kind::Guard, message).hint(BY_A_PERSON)
    };
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(form));
    let options = PeerRequestOptions::no_options();
    let handle = peer.send_cancellable_request(request, options).await;
    let mut open = OpenRequest(Some(handle.map_err(|why| failed(&why))?));
    let answer = match &mut open.0 {
        Some(handle) => (&mut handle.rx).await,
        None => return Err(failed(&"it was not asked")),
    };
    open.0 = None;
    match answer {
        Ok(Ok(ClientResult::ElicitResult(answer))) => Ok(answer.action),
        Ok(Ok(_)) => Err(failed(&"its answer is to something else")),
        Ok(Err(why)) => Err(failed(&why)),
        Err(_) => Err(failed(&"it has gone")),
    }
}

/// A question in the midst of a call; dropped before its answer came, it is withdrawn.
struct OpenRequest(Option<RequestHandle<RoleServer>>);

impl Drop for OpenRequest {
    fn drop(&mut self) {
        if let (Some(handle), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            let why = Some("the call was cancelled".to_owned());
            runtime.spawn(async move { handle.cancel(why).await });
        }
    }
}

const BY_A_PERSON: &str =
    "a person types `ipspect lookup ADDRESS`; without `spend` local answers are free";

fn declined() -> Error {
    Error::new(Kind::Guard, "a person declined: nothing was sent")
        .hint("without `spend` local answers are free")
}
