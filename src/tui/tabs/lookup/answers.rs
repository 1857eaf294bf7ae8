//! The requests about an address, and the effects of their answers. The local feeds and the cache are asked first and cost nothing; the
//! engine sends a query where the policy says so, on the same request, and where a person asks for it; never twice for the same question.

use super::{
    LookupFocus, LookupTab,
    case::EnterEffect,
    free_answers::{FreeAnswer, FreeAnswers},
    record::lead_of,
};
use crate::{
    contract::LookupQuery,
    engine::{
        self, Error, SavedBy, Sources, answers::PolicyStep, config::AnswerOrder, trail::TrailEntry,
    },
    model::{Document, Subject},
    tui::{
        ctx::{
            UpdateCtx,
            cmd::Cmd,
            facts::Facts,
            remote::Remote,
            request::{JobId, Question},
            sheet::{Meaning, Start},
            tab::TabReply,
            trail::TrailStop,
        },
        ui::{theme::Tone, words},
    },
};

impl LookupTab {
    /// Shows the record of a question and puts it on the trail. What is local or cached about it is read again, which is free; the service is
    /// asked where the policy says so.
    pub(super) fn visit(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        ctx.trail.visit(TrailStop::Address(query), ctx.out.now);
        self.show_from_top(query, ctx);
        self.find(query, ctx);
    }

    /// The same, promised to be free: nothing is sent, also where what was at hand is gone.
    pub(super) fn visit_at_hand(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        ctx.trail.visit(TrailStop::Address(query), ctx.out.now);
        self.show_from_top(query, ctx);
        if !Self::refuses(query, ctx) {
            self.read_at_hand(query, EnterEffect::Leave, ctx);
        }
    }

    /// Whether a look at a question is said to be free: it was answered, or what was read for the text of the field replaces a query.
    pub(super) fn is_said_free(&self, query: LookupQuery, facts: &Facts) -> bool {
        if let Some(case) = self.cases.of(query)
            && case.live.value().is_some()
        {
            return true;
        }
        let found = self.found_ahead(query);
        !facts.is_always_live(query.geolocation) && found.is_some_and(FreeAnswers::is_fresh)
    }

    /// What was read ahead about a question.
    pub(super) fn found_ahead(&self, query: LookupQuery) -> Option<&FreeAnswers> {
        let (_, found) = self.previews.iter().find(|(own, _)| *own == query)?;
        found.value()
    }

    /// Shows the record of a query from its top, where the verdict is. Only steps along the trail restore the row.
    fn show_from_top(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        self.show_case(query, ctx);
        let case = self.cases.of_mut(query);
        case.page.rewind();
        // Where they are still counted, the cursor waits for the rows to pivot to: it would stay on one below them.
        if case.pivots.value().is_some() {
            case.page.start(Start::Lead);
        }
    }

    /// Shows the record of a question as it was left.
    pub(super) fn show_case(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        self.cases.of_mut(query);
        self.here = Some(query);
        self.focus(LookupFocus::Page);
        self.compare = None;
        self.stop_reading_ahead(ctx);
        if let Some(board) = &mut self.board {
            board.open = false;
        }
        self.field.set(&query.address.to_string());
    }

    /// Asks by the policy: what is local or cached comes first, and the engine sends a query where that does not replace one. For both at
    /// once where the configuration says `live`; for what is local or cached alone where a query is for the person to decide.
    pub(super) fn find(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        if Self::refuses(query, ctx) {
            return;
        }
        let is_live = ctx.facts.answers == AnswerOrder::Live;
        let case = self.cases.of_mut(query);
        let may_send = case.live.value().is_none() && case.live.pending().is_none() && !case.unkept;
        match (may_send, is_live) {
            (false, _) => self.read_at_hand(query, EnterEffect::Leave, ctx),
            (true, false) => self.read_at_hand(query, EnterEffect::Ask, ctx),
            (true, true) => {
                self.read_at_hand(query, EnterEffect::Stop, ctx);
                self.ask(query, ctx);
            }
        }
    }

    /// Reads what is local or cached, which is free, unless that is under way. What follows is part of the request: one that is to send a
    /// query takes the place of one that is not.
    pub(super) fn read_at_hand(
        &mut self,
        query: LookupQuery,
        then: EnterEffect,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let case = self.cases.of_mut(query);
        let is_read = case.at_hand.pending().is_some();
        if is_read && (case.then == EnterEffect::Ask || then == EnterEffect::Stop) {
            return;
        }
        if is_read && then == EnterEffect::Ask {
            ctx.stop(&mut case.at_hand);
        }
        case.then = then;
        if case.at_hand.pending().is_none() {
            let question = match then {
                EnterEffect::Ask => Question::Resolve(query),
                EnterEffect::Stop | EnterEffect::Leave => Question::Sources(query),
            };
            case.at_hand.begin(ctx.ask(question));
        }
    }

    /// The first part of an answer: what is local or cached. Where that replaces no query, the engine has gone on to send one.
    pub(super) fn found_first(
        &mut self,
        job: JobId,
        sources: Sources,
        next: PolicyStep,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let query = sources.query;
        let is_sent = matches!(next, PolicyStep::Ask(_));
        let waits = self.cases.find(|case| case.at_hand.pending() == Some(job));
        if let Some(case) = waits.filter(|_| is_sent) {
            case.live.begin(job);
        }
        self.found_at_hand(query, job, Ok(sources), ctx);
    }

    /// The answers at hand: one that is fresh replaces a query.
    pub(super) fn found_at_hand(
        &mut self,
        query: LookupQuery,
        job: JobId,
        result: Result<Sources, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let Some(result) = self.take_preview(job, result, ctx) else {
            return;
        };
        let now = ctx.out.now;
        let troubles = match &result {
            Ok(sources) => sources.unusable.clone(),
            Err(error) => vec![error.clone()],
        };
        let is_read = result.is_ok();
        let found = result.map(|sources| FreeAnswers::of(sources, now));
        // A late answer leaves no case behind of a text that was only typed.
        let Some(case) = self.cases.find(|case| case.query == query) else {
            return;
        };
        let is_first = case.at_hand.value().is_none();
        if !case
            .at_hand
            .finish(job, found.or_else(|_| Ok(FreeAnswers::default())))
        {
            return;
        }
        case.compare_sources();
        let then = std::mem::take(&mut case.then);
        let (is_known, unkept) = (case.is_known(), case.unkept);
        let is_left = then == EnterEffect::Leave && case.live.pending().is_none();
        let fresh = case.at_hand.value().filter(|found| found.is_fresh());
        if is_first
            && then != EnterEffect::Stop
            && let Some(answer) = fresh.and_then(|found| found.answer.as_ref())
        {
            ctx.out.cmd(Cmd::Saved(match answer {
                FreeAnswer::Cached(..) => SavedBy::Cache,
                FreeAnswer::Local(..) => SavedBy::Local,
            }));
            let visited = TrailEntry::Visited(query, ctx.out.now);
            ctx.out.cmd(Cmd::Remember(visited));
        }
        for trouble in troubles {
            ctx.out.say(Tone::Warn, trouble.message);
        }
        self.look_around(query, ctx);
        self.let_go();
        if is_known || then == EnterEffect::Stop {
            return;
        }
        if is_read && unkept {
            let text = format!(
                "{}: its record was too large to keep; R fetches it again (1 query)",
                query.address
            );
            ctx.out.say(Tone::Info, text);
        } else if is_left || !is_read {
            let text = format!("{}: not asked; R fetches it (1 query)", query.address);
            ctx.out.say(Tone::Info, text);
        }
    }

    /// Asks what the local feeds have around the record that is shown: free.
    pub(super) fn look_around(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        let case = self.cases.of_mut(query);
        if case.shown().is_none() && case.live.pending().is_some() {
            return;
        }
        // Where there is no record, others may name the address all the same.
        let record = case.shown().and_then(|shown| shown.record);
        let document = match record {
            Some(record) => Ok(record.document.clone()),
            None => Document::read(b"{}"),
        };
        let Ok(document) = document else { return };
        let subject = Subject::Address(query.address);
        ctx.stop(&mut case.pivots);
        ctx.stop(&mut case.since);
        case.pivots
            .begin(ctx.ask(Question::Pivots(subject, document)));
        let answer = case.at_hand.value().and_then(|found| found.answer.as_ref());
        if let Some(record) = answer.and_then(FreeAnswer::local_record) {
            case.since.begin(ctx.ask(Question::Since(Box::new(record))));
        }
    }

    /// What the local feeds have around a record.
    pub(super) fn looked_around(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let job = reply.job;
        match reply.question {
            Question::Pivots(..) => {
                let waits = self.cases.find(|case| case.pivots.pending() == Some(job));
                if let Some(case) = waits {
                    case.pivots.settle(job, reply.result);
                    case.page.start(Start::Lead);
                    if let Some(view) = case.around() {
                        case.neighbours.begin(ctx.ask(Question::Operators(view)));
                    }
                }
                self.follow(ctx);
            }
            Question::Operators(_) => {
                if let Some(case) = self
                    .cases
                    .find(|case| case.neighbours.pending() == Some(job))
                {
                    case.neighbours.settle(job, reply.result);
                }
            }
            _ => {
                if let Some(case) = self.cases.find(|case| case.since.pending() == Some(job)) {
                    case.since.settle(job, reply.result);
                }
            }
        }
    }

    /// Opens the row that was chosen before its records were counted. Who has gone on meanwhile is not moved.
    fn follow(&mut self, ctx: &mut UpdateCtx<'_>) {
        let counted = |(query, _): &mut (LookupQuery, Meaning)| {
            let case = self.cases.of(*query);
            case.is_none_or(|case| case.pivots.pending().is_none())
        };
        let Some((query, row)) = self.following.take_if(counted) else {
            return;
        };
        let is_covered = self.calendar.is_some() || self.note.is_some() || self.compare.is_some();
        let is_record = self.part == LookupFocus::Page && self.open_table().is_none();
        let is_there = self.here == Some(query) && is_record && !is_covered;
        let case = self.cases.of(query).filter(|_| is_there);
        if let Some(case) = case {
            ctx.out.go = lead_of(case, &row).or(row.lead);
        }
    }

    /// Whether a question must not be sent; says so.
    fn refuses(query: LookupQuery, ctx: &mut UpdateCtx<'_>) -> bool {
        let refused = ctx.facts.admission.refuses(query.address);
        if let Some(reserved) = refused {
            let why = format!("{} is {}: nothing was sent", query.address, reserved.why());
            ctx.out.say(Tone::Warn, why);
        }
        refused.is_some()
    }

    /// Asks the service, if the question may be sent and is not under way.
    pub(super) fn ask(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        if Self::refuses(query, ctx) {
            return;
        }
        let case = self.cases.of_mut(query);
        if case.live.pending().is_some() {
            return;
        }
        let job = ctx.ask(Question::Lookup(query));
        case.live.begin(job);
        // What is local or cached is read all the same, but asks no second time.
        if case.then == EnterEffect::Ask && ctx.stop(&mut case.at_hand) {
            case.at_hand.begin(ctx.ask(Question::Sources(query)));
        }
        case.then = EnterEffect::Stop;
    }

    /// The end of an answer by the policy: what the service said, or nothing more where no query was sent.
    pub(super) fn resolved(
        &mut self,
        query: LookupQuery,
        job: JobId,
        result: Result<Option<engine::LookupAnswer>, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let waits = self.cases.find(|case| case.at_hand.pending() == Some(job));
        match result {
            // Before its first part: nothing was read, and nothing sent.
            Err(error) if waits.is_some() => self.found_at_hand(query, job, Err(error), ctx),
            Err(error) => self.looked_up(query, job, Err(error), ctx),
            Ok(Some(answer)) => self.looked_up(query, job, Ok(answer), ctx),
            Ok(None) => {}
        }
    }

    pub(super) fn looked_up(
        &mut self,
        query: LookupQuery,
        job: JobId,
        result: Result<engine::LookupAnswer, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let failure = result.as_ref().err().map(|error| error.message.clone());
        let found = result.as_ref().ok();
        let repeated = found.and_then(|answer| {
            let (tries, possibly) = (answer.provenance.attempts, answer.provenance.possibly_spent);
            (tries > 1 && possibly > 0).then(|| {
                let address = query.address;
                let more = words::queries(possibly.into());
                format!("{address}: answered on try {tries}; {more} more possibly spent")
            })
        });
        let entry = found.map(|answer| TrailEntry::from((&query, answer)));
        let spent = found.map_or(0, |answer| answer.provenance.cost);
        let waits = self.cases.find(|case| case.live.pending() == Some(job));
        let Some(case) = waits.filter(|case| case.query == query) else {
            return;
        };
        case.live.finish(job, result);
        (case.recalled, case.unkept) = (false, case.unkept && failure.is_some());
        case.compare_sources();
        let compare = self.compare.as_mut();
        if let Some(compare) = compare.filter(|own| own.a == query || own.b == query) {
            compare.spent += u64::from(spent);
        }
        ctx.out.cmds.extend(entry.map(Cmd::Remember));
        if let Some(message) = failure {
            let text = format!("{}: {message}", query.address);
            let is_shown =
                self.here == Some(query) && self.compare.is_none() && self.open_table().is_none();
            if is_shown {
                ctx.out.say_of_page(Tone::Error, text);
            } else {
                ctx.out.say(Tone::Error, text);
            }
        } else {
            if let Some(repeated) = repeated {
                ctx.out.say(Tone::Warn, repeated);
            }
            self.look_around(query, ctx);
        }
        self.let_go();
    }

    /// Lets large records go that are out of view.
    fn let_go(&mut self) {
        let compared = self.compare.as_ref().map(|compare| [compare.a, compare.b]);
        let shown = compared.into_iter().flatten().chain(self.here);
        self.cases.let_go(&shown.collect::<Vec<_>>());
    }

    /// The trail of earlier runs: its answers are shown again without a query.
    pub(super) fn recall(
        &mut self,
        result: Result<engine::SavedTrail, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let trail = match result {
            Ok(trail) => trail,
            Err(error) => {
                return ctx.out.say(
                    Tone::Warn,
                    format!("the trail of earlier runs: {}", error.message),
                );
            }
        };
        let mut unkept = 0;
        for entry in trail.entries {
            match entry {
                TrailEntry::Looked(query, answer) => {
                    ctx.trail
                        .recall(TrailStop::Address(query), answer.provenance.asked_at);
                    let case = self.cases.of_mut(query);
                    if case.is_untouched() || case.recalled {
                        case.live = Remote::known(*answer);
                        (case.recalled, case.unkept) = (true, false);
                    }
                }
                TrailEntry::Unkept(query, at, _) => {
                    unkept += 1;
                    ctx.trail.recall(TrailStop::Address(query), at);
                    let case = self.cases.of_mut(query);
                    case.unkept = case.is_untouched();
                }
                TrailEntry::Visited(query, at) => {
                    ctx.trail.recall(TrailStop::Address(query), at);
                }
                TrailEntry::Tagged(tag, at) => ctx.trail.recall(TrailStop::Tag(tag), at),
                TrailEntry::Pinned(address, on) => ctx.trail.pin(address, on),
                TrailEntry::Noted(address, at, text) => {
                    ctx.trail.annotate(address, at, text);
                }
            }
        }
        if unkept > 0 {
            let text = format!("trail: records too large to keep: {unkept} (R fetches one again)");
            ctx.out.say(Tone::Info, text);
        }
        if trail.left_out > 0 {
            let text = format!("trail: older entries not loaded: {}", trail.left_out);
            ctx.out.say(Tone::Info, text);
        }
        if trail.set_aside.count() > 0 {
            ctx.out.say(Tone::Warn, format!("log: {}", trail.set_aside));
        }
    }
}
