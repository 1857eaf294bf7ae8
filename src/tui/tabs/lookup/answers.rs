//! The requests about an address, and the effects of their answers. The local feeds and the cache are asked first and cost nothing; the
//! engine sends a query where the policy says so, on the same request, and where a person asks for it; never twice for the same question.

use std::net::IpAddr;

use super::{
    Front, LookupFocus, LookupPage, LookupTab,
    case::LookupCase,
    compared::ComparedSides,
    comparison::Comparison,
    field::{LookupInput, richest_view},
    price::quote,
    record::lead_of,
    sources::{FreeAnswers, SourceAnswer},
    view,
};
use crate::{
    contract::LookupQuery,
    engine::{self, Error, Sources, trail::TrailEntry},
    investigation::{comparison::SideName, gather::GatheredText},
    model::Day,
    tui::{
        ctx::{
            Asked, Cmd, Destination, Facts, Flow, FromAnswer, JobId, Meaning, Question, Start,
            TabReply, TrailStop, UpdateCtx, say_shared,
        },
        ui::{Tone, words},
    },
};

impl LookupTab {
    /// Shows the record of a question from its top and puts it on the trail. What is local or cached about it is read again, which is free;
    /// the service is asked where the policy says so.
    pub(super) fn visit(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        self.open_case(query, ctx).find(ctx);
    }

    /// The same, promised to be free: nothing is sent, also where what was at hand is gone.
    pub(super) fn visit_at_hand(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        self.open_case(query, ctx).find_at_hand(ctx);
    }

    /// Whether a lookup costs nothing, by the price that is on the screen.
    pub(super) fn is_free(&self, query: LookupQuery, facts: &Facts) -> bool {
        quote(self, query, facts).is_free()
    }

    /// Opens an address at the price that is on the screen: what was free there sends nothing, also where it is gone meanwhile.
    pub(super) fn visit_as_priced(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        if !self.is_free(query, ctx.facts) {
            return self.visit(query, ctx);
        }
        let mut previews = self
            .previews
            .iter()
            .filter(|(lookup_query, _)| *lookup_query == query);
        let ahead = previews.next().map(|(_, found)| found.answered_alone());
        match ahead.filter(|question| question.value().is_some()) {
            Some(ahead) => self.open_case(query, ctx).take_ahead(ahead, ctx),
            None => self.visit_at_hand(query, ctx),
        }
    }

    /// What was read ahead about a question.
    pub(super) fn found_ahead(&self, query: LookupQuery) -> Option<&FreeAnswers> {
        let (_, found) = self
            .previews
            .iter()
            .find(|(lookup_query, _)| *lookup_query == query)?;
        found.value()
    }

    /// Shows the record of a query from its top, where the verdict is. Only steps along the trail restore the row.
    fn open_case(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) -> &mut LookupCase {
        self.walk = None;
        ctx.trail.visit(TrailStop::Address(query), ctx.out.now);
        let case = self.show_case(query, ctx);
        case.page.rewind();
        // Where they are still counted, the cursor waits for the rows to pivot to: it would stay on one below them.
        if case.pivots.value().is_some() {
            case.page.start(Start::Lead);
        }
        case
    }

    /// Shows the record of a question as it was left.
    pub(super) fn show_case(
        &mut self,
        query: LookupQuery,
        ctx: &mut UpdateCtx<'_>,
    ) -> &mut LookupCase {
        if let Some(before) = self
            .here
            .replace(query)
            .filter(|lookup_query| *lookup_query != query)
            && let Some(case) = self.cases.opened(before)
        {
            case.days.hide();
        }
        self.focus(LookupFocus::Page);
        self.page = LookupPage::Record;
        self.stop_reading_ahead(ctx);
        self.field.0.set(&query.address.to_string());
        if let Some(number) = ctx.trail.number() {
            self.trail.select(number);
        }
        let case = self.cases.of_mut(query);
        case.show_days();
        case
    }

    /// Takes what is local or cached about an address; where the engine has gone on to send a query, its answer follows under the same
    /// job. A late answer leaves no case behind of a text that was only typed.
    pub(super) fn found(
        &mut self,
        query: LookupQuery,
        job: JobId,
        result: Result<Sources, Error>,
        query_follows: bool,
        ctx: &mut UpdateCtx<'_>,
    ) {
        if let Some(case) = self.cases.opened(query) {
            case.take_at_hand(job, result, query_follows, ctx);
            self.drop_large_records();
        }
    }

    /// Takes what the local feeds have around a record.
    fn take_around(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let mut reply = Some(reply);
        for case in self.cases.all() {
            let Some(tab_reply) = reply.take() else { break };
            reply = case.settle(tab_reply, ctx);
        }
        self.follow(ctx);
    }

    /// Opens the row that was chosen before its records were counted. Who has gone on meanwhile is not moved.
    fn follow(&mut self, ctx: &mut UpdateCtx<'_>) {
        let counted = |(query, _): &mut (LookupQuery, Meaning)| {
            let case = self.cases.of(*query);
            case.is_none_or(|case| !case.pivots.is_pending())
        };
        let Some((query, row)) = self.following.take_if(counted) else {
            return;
        };
        let is_there = self.here == Some(query) && matches!(self.front(), Front::Record(_));
        let case = self.cases.of(query).filter(|_| is_there);
        if let Some(case) = case {
            ctx.out.go = lead_of(case, &row).or(row.lead);
        }
    }

    /// The end of an answer by the policy: what the service said, or nothing more where no query was sent.
    fn resolved(
        &mut self,
        query: LookupQuery,
        job: JobId,
        result: Result<Option<engine::LookupAnswer>, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let case = self.cases.of(query);
        let is_reading = case.is_some_and(|case| case.at_hand.pending() == Some(job));
        match result.transpose() {
            // Before its first part: nothing was read, and nothing sent.
            Some(Err(error)) if is_reading => self.found(query, job, Err(error), false, ctx),
            Some(result) => self.looked_up(query, job, result, ctx),
            None => {}
        }
    }

    fn looked_up(
        &mut self,
        query: LookupQuery,
        job: JobId,
        result: Result<engine::LookupAnswer, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let Some(case) = self.cases.opened(query) else {
            return;
        };
        let entry = result.as_ref().ok();
        let entry = entry.map(|answer| TrailEntry::from((&query, answer)));
        if !case.take_live(job, result, ctx) {
            return;
        }
        ctx.out.cmds.extend(entry.map(Cmd::Remember));
        if case.live.error().is_none() {
            self.read_days_again(query.address, ctx);
        }
        let Some(case) = self.cases.of(query) else {
            return;
        };
        if let Some(board) = &mut self.board {
            board.looked_up_alone(query, ctx);
        }
        let address = query.address;
        if let Some(error) = case.live.error() {
            let text = format!("{address}: {}", error.message);
            if self.here == Some(query) && matches!(self.page, LookupPage::Record) {
                ctx.out.say_of_page(Tone::Error, text);
            } else {
                ctx.out.say(Tone::Error, text);
            }
        } else if let Some(asked) = case.live.value().and_then(SourceAnswer::asked) {
            if let LookupPage::Comparison(comparison) = &mut self.page
                && comparison.has(query)
            {
                comparison.spent += u64::from(asked.cost);
            }
            let (tries, possibly) = (asked.attempts, asked.possibly_spent);
            if tries > 1 && possibly > 0 {
                let more = words::queries(possibly.into());
                let text =
                    format!("{address}: answered on try {tries}; {more} more possibly spent");
                ctx.out.say(Tone::Warn, text);
            }
        }
        self.drop_large_records();
    }

    /// Reads the days of an address again: the service has answered about one.
    fn read_days_again(&mut self, address: IpAddr, ctx: &mut UpdateCtx<'_>) {
        let shown = self.on_screen();
        for case in self
            .cases
            .all()
            .filter(|case| case.query.address == address)
        {
            case.days.expire(ctx);
            if shown.contains(&case.query) {
                case.days.ask(case.query, ctx);
            }
        }
    }

    /// The questions whose answers are on the screen, or behind what is there.
    pub(super) fn on_screen(&self) -> Vec<LookupQuery> {
        let compared = self
            .comparison()
            .map(|comparison| [comparison.a, comparison.b]);
        let beside = self.beside.map(|(query, _)| query);
        compared
            .into_iter()
            .flatten()
            .chain(beside)
            .chain(self.here)
            .collect()
    }

    /// Lets large records go that are out of view.
    fn drop_large_records(&mut self) {
        self.cases.drop_large(&self.on_screen());
    }

    /// Asks the service for the address that is shown, on the day that was chosen for lookups.
    pub(super) fn fetch_live(&mut self, ctx: &mut UpdateCtx<'_>) {
        let Some(here) = self.here else { return };
        if let Some(lack) = ctx.facts.lack() {
            return ctx.out.say(Tone::Warn, lack);
        }
        let query = self.refreshes(here);
        self.stay(ctx);
        if query != here {
            ctx.trail.visit(TrailStop::Address(query), ctx.out.now);
            self.show_case(query, ctx).read(ctx);
        }
        self.cases.of_mut(query).fetch(ctx);
    }

    /// Compares the record that is shown with another. A side of which nothing is shown is asked for; what was free on the screen sends
    /// nothing.
    pub(super) fn compare(
        &mut self,
        other: LookupQuery,
        here: LookupQuery,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let is_free = self.is_free(other, ctx.facts);
        if is_free {
            self.cases.of_mut(other).show_at_hand(ctx);
        }
        // The older one is the first: no date is today.
        let is_older = |one: Option<Day>, than: Option<Day>| {
            one.is_some_and(|day| than.is_none_or(|than| day <= than))
        };
        let (a, b) = if is_older(other.date, here.date) {
            (other, here)
        } else {
            (here, other)
        };
        for query in [a, b] {
            if query != other || !is_free {
                self.fetch_side(query, ctx);
            }
        }
        self.page = LookupPage::Comparison(Box::new(Comparison::new(a, b)));
    }

    /// Compares two sides by their names: two addresses on the page, else in a list over it.
    pub(super) fn compare_named(&mut self, names: [String; 2], ctx: &mut UpdateCtx<'_>) -> Flow {
        let today = Day::of(ctx.out.now);
        let query = |name: &String| {
            let (address, date) = SideName::address(name, today)?;
            let is_public = ctx.facts.admission.refuses(address).is_none();
            let query = LookupQuery {
                date,
                ..LookupQuery::now(address)
            };
            is_public.then_some(query)
        };
        if let [Some(a), Some(b)] = names.each_ref().map(query) {
            self.compare_at_hand([a, b], self.open_table().is_some(), ctx);
            return Flow::Done;
        }
        Flow::Push(Box::new(ComparedSides::new(names, ctx)))
    }

    /// Compares two records with what is local or cached.
    pub(super) fn compare_at_hand(
        &mut self,
        sides: [LookupQuery; 2],
        is_from_table: bool,
        ctx: &mut UpdateCtx<'_>,
    ) {
        for query in sides {
            self.cases.of_mut(query).show_at_hand(ctx);
        }
        let [a, b] = sides;
        let mut comparison = Comparison::new(a, b);
        comparison.is_from_table = is_from_table;
        self.page = LookupPage::Comparison(Box::new(comparison));
        self.focus(LookupFocus::Page);
    }

    /// Asks for the sides of the comparison of which nothing is shown.
    pub(super) fn fetch_sides(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some((a, b)) = self
            .comparison()
            .map(|comparison| (comparison.a, comparison.b))
        {
            self.fetch_side(a, ctx);
            self.fetch_side(b, ctx);
        }
    }

    /// An old record that is shown stays, and costs nothing.
    fn fetch_side(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        let case = self.cases.of_mut(query);
        if case.shown().is_none() {
            case.find(ctx);
        } else {
            case.ask_around(ctx);
        }
    }

    /// Reads what is at hand about the row under the cursor, where its record stands beside the table. Free.
    pub(super) fn read_beside(&mut self, ctx: &mut UpdateCtx<'_>) {
        let row = match (self.front(), self.open_table()) {
            _ if !view::has_beside(self, ctx.body) => None,
            (Front::Trail, _) => match self.trail.row().map(|row| &row.stop) {
                Some(TrailStop::Address(query)) => Some(*query),
                _ => None,
            },
            (_, table) => table.and_then(|board| Some(board.query_of(board.here()?))),
        };
        if row == self.beside.map(|(query, _)| query) {
            return;
        }
        if let Some((before, true)) = self.beside.take()
            && self.here != Some(before)
        {
            self.cases.close(before, ctx);
        }
        if let Some(query) = row {
            self.beside = Some((query, self.cases.of(query).is_none()));
            self.cases.of_mut(query).attend(ctx);
        }
    }

    /// Reads what is local or cached about the address that Enter looks up, so that its price is there before: that of the text in the
    /// field, of the row under the cursor, of the day under the cursor. Sends nothing.
    pub(super) fn look_ahead(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(Question::HeldWithin(network)) = self.browsing.question()
            && self.browsing.is_pending()
            && LookupInput::of(self.field.0.value()) != LookupInput::Network(*network)
        {
            self.browsing.stop(ctx);
        }
        let wanted = self.wanted(ctx);
        for (_, mut preview) in self
            .previews
            .extract_if(.., |(query, _)| !wanted.contains(query))
        {
            preview.stop(ctx);
        }
        for query in wanted {
            if self
                .previews
                .iter()
                .all(|(lookup_query, _)| *lookup_query != query)
            {
                let mut found = Asked::default();
                found.ask(Question::Sources(query), ctx);
                self.previews.push((query, found));
            }
        }
    }

    /// The questions whose price is not known without reading what is at hand.
    fn wanted(&self, ctx: &UpdateCtx<'_>) -> Vec<LookupQuery> {
        let enter = match &ctx.lead {
            Some(Destination::LookupDay(what_for, date)) => self.query_on(*what_for, *date),
            _ => self.query_of_enter(ctx.facts),
        };
        let is_typed = matches!(self.front(), Front::Field) && ctx.lead.is_none();
        let others = if is_typed {
            // Beside a past day stands what today costs.
            [
                enter.map(|query| LookupQuery {
                    date: None,
                    ..query
                }),
                None,
            ]
        } else {
            [self.other_day(), self.other_geolocation()]
        };
        let mut wanted = Vec::new();
        for query in [enter].into_iter().chain(others).flatten() {
            let is_new =
                is_typed || !ctx.facts.is_always_live(query.geolocation) && !self.is_known(query);
            let is_refused = ctx.facts.admission.refuses(query.address).is_some();
            if is_new && !is_refused && !wanted.contains(&query) {
                wanted.push(query);
            }
        }
        wanted
    }

    /// What is read for the text of the field is no longer waited for: another text stands there, or nobody types any more.
    pub(super) fn stop_reading_ahead(&mut self, ctx: &mut UpdateCtx<'_>) {
        for (_, mut preview) in self.previews.drain(..) {
            preview.stop(ctx);
        }
        self.browsing.stop(ctx);
    }

    /// Opens the records of the network that was typed. A user who left the field meanwhile is not moved.
    fn browse(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let Question::HeldWithin(network) = *reply.question else {
            return;
        };
        if self.browsing.settle(reply).is_some() {
            return;
        }
        match (self.browsing.value(), self.browsing.error()) {
            (Some(held), None) => {
                if let Some(view) = richest_view(network, held, ctx.out) {
                    self.leave_field(LookupFocus::Page, ctx);
                    ctx.out.go = Some(Destination::Browse(view));
                }
            }
            (_, Some(error)) => ctx.out.say(Tone::Error, error.message.clone()),
            (None, None) => {}
        }
    }

    /// Takes the reply to a question of this tab.
    pub(super) fn take(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        match *reply.question {
            Question::Lookup(query) => {
                self.looked_up(query, reply.job, FromAnswer::of_result(reply.result), ctx);
            }
            Question::Resolve(query) => {
                self.resolved(query, reply.job, FromAnswer::of_result(reply.result), ctx);
            }
            Question::Sources(query) => {
                let mut previews = self.previews.iter_mut();
                let now = ctx.out.now;
                let read = |sources: Box<Sources>| FreeAnswers::of(*sources, now);
                let rest = match previews.find(|(lookup_query, _)| *lookup_query == query) {
                    Some((_, preview)) => preview.settle_with(reply, read),
                    None => Some(reply),
                };
                if let Some(TabReply { job, result, .. }) = rest {
                    let sources = <Box<Sources>>::of_result(result).map(|sources| *sources);
                    self.found(query, job, sources, false, ctx);
                }
            }
            Question::HeldWithin(_) => self.browse(reply, ctx),
            Question::Gather(_) => {
                // Why it was not gathered is said of the job.
                if reply.result.is_err() {
                    self.pass_board(ctx);
                }
                if let Ok(text) = <Box<GatheredText>>::of_result(reply.result) {
                    self.gathered_long(*text, ctx);
                }
            }
            Question::BestAnswers(..) | Question::EventVerdicts(..) => {
                match (&mut self.page, &mut self.board) {
                    (LookupPage::Beginning(own), _) if own.board.awaits(reply.job) => {
                        own.board.settle(reply, ctx);
                    }
                    (_, Some(board)) => board.settle(reply, ctx),
                    (_, None) => {}
                }
            }
            Question::LookUpAll(..) => {
                if let Some(board) = &mut self.board {
                    board.all_looked_up(reply, ctx);
                }
            }
            Question::Pivots(..) | Question::Operators(_) | Question::History(_) => {
                self.take_around(reply, ctx);
            }
            Question::Common(_) => say_shared(reply, ctx),
            Question::Trail => self.recall(FromAnswer::of_result(reply.result), ctx),
            _ => {}
        }
    }

    /// The trail of earlier runs: its answers are shown again without a query.
    fn recall(&mut self, result: Result<engine::SavedTrail, Error>, ctx: &mut UpdateCtx<'_>) {
        let trail = match result {
            Ok(trail) => trail,
            Err(error) => {
                let text = format!("the trail of earlier runs: {}", error.message);
                return ctx.out.say(Tone::Warn, text);
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
                        case.live = Asked::known((*answer).into());
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
                TrailEntry::Board(board) => {
                    let stop = TrailStop::Board(board.file.clone());
                    ctx.trail.recall(stop, board.at);
                    self.boards.recall(*board);
                }
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
