//! Who agrees to queries that cost: a person, whom the client asks.
//!
//! The revisions of the protocol have two ways for that, which exclude each other. With a handshake the server asks the client in the midst of
//! a call. Since 2026-07-28 the call ends with the question, and the client makes it again with the answer. What was asked is kept here, so
//! that nothing which comes back with the answer can allow more.

use std::{
    cell::Cell,
    collections::VecDeque,
    rc::Rc,
    sync::{Arc, Mutex, PoisonError},
};

use rmcp::{
    RoleServer,
    model::{
        CallToolRequestParams, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
        ElicitationSchema, InputRequest, InputRequiredResult, JsonObject, ProtocolVersion,
    },
    service::{Peer, RequestContext},
};

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
/// The most questions that wait for an answer; older ones are forgotten.
const MOST_OPEN: usize = 64;

/// The queries that this server may send, and the questions about them that are open.
#[derive(Debug)]
pub(super) struct Paying {
    pub(super) budget: Arc<Budget>,
    /// What `--spend` allowed.
    allowed: u64,
    open: Mutex<OpenQuestions>,
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
    /// In the midst of the call.
    Meanwhile(Peer<RoleServer>),
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
        }
    }

    /// How the client asks, as it says of itself, and what it answered already.
    ///
    /// # Errors
    /// [`Kind::Guard`] where a person declined, or the answer is to no question of this server.
    pub(super) fn asking(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
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
            return Ok(Asking::Meanwhile(context.peer.clone()));
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
            _ => Err(declined()),
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
        let form = ElicitRequest::new(self.form(queries, self.budget.left(), about));
        let question = InputRequest::Elicitation(form);
        InputRequiredResult::new(Some([(QUESTION.to_owned(), question)].into()), Some(state))
    }

    fn form(&self, queries: u64, left: u64, about: &str) -> ElicitRequestParams {
        ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: format!(
                "ipspect: send {} for {about}? {left} of --spend {} are left.",
                counted(queries, "paid query"),
                self.allowed,
            ),
            // Nothing to fill in: to accept it is the answer.
            requested_schema: ElicitationSchema::new(std::collections::BTreeMap::new()),
        }
    }

    /// The consent for one call about something. Where the call has to be made again for it, `open` is for how many queries.
    pub(super) fn consent(
        self: &Arc<Self>,
        asking: Asking,
        about: String,
        open: Rc<Cell<u64>>,
    ) -> Consent {
        let paying = Arc::clone(self);
        Box::new(move |queries| {
            let (paying, asking) = (Arc::clone(&paying), asking.clone());
            let (about, open) = (about.clone(), Rc::clone(&open));
            Box::pin(async move { paying.allow(queries, asking, &about, &open).await })
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
            Asking::Meanwhile(peer) => {
                let left = self.budget.left() + allowed;
                let form = self.form(allowed, left, about);
                let answer = peer.create_elicitation(form).await;
                match answer.map(|answer| answer.action) {
                    Ok(ElicitationAction::Accept) => Ok(allowance),
                    Ok(_) => Err(declined()),
                    Err(error) => {
                        let message = format!("the client did not ask a person: {error}");
                        Err(Error::new(Kind::Guard, message).hint(BY_A_PERSON))
                    }
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

const BY_A_PERSON: &str =
    "a person types `ipspect lookup ADDRESS`; without `spend` local answers are free";

fn declined() -> Error {
    Error::new(Kind::Guard, "a person declined: nothing was sent")
        .hint("without `spend` local answers are free")
}
