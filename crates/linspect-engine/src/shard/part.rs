//! Explores a part of the clients of a search, or only says which there are.

use super::tasks::{ListedClient, PartTask, weight};
use crate::chosen::Chosen;
use crate::error::Error;
use crate::events::PipelineEvent;
use crate::investigate::Investigation;
use crate::investigated::Investigated;
use linspect_core::client::Client;
use linspect_core::machine::Subject;
use linspect_core::property::Property;
use linspect_core::spec::Unfit;
use linspect_explore::promise::Promise;
use linspect_explore::search::{
    Keeping, Kept, PartOfWalk, Plan, Recall, Stopped, WalkName, WalkStopped, keep, walk_parts,
};
use linspect_report::finding::Checked;
use std::ops::Range;
use std::time::Instant;

impl Investigation<'_> {
    /// How each client is explored.
    pub(crate) fn plan(&self) -> Plan {
        Plan {
            executions: self.effort.executions,
            ..Plan::exhaustive().with(self.effort.method)
        }
    }

    /// The clients, in their order.
    pub(crate) fn list(
        &self,
        chosen: Chosen<'_, impl IntoIterator<Item = Client>>,
        checked: Checked,
        start: Instant,
    ) -> Investigated {
        let Chosen {
            promise, clients, ..
        } = chosen;
        let smallest = promise.levels.first().copied();
        let listed = clients.into_iter().map(|client| ListedClient {
            weight: weight(&client),
            promised: !promise.usual || client.size() <= promise.operations(),
            smallest: !promise.usual || smallest.is_some_and(|level| level.asks(&client)),
        });
        let listed = listed.collect();
        let finding = self.nothing_found(&Kept::default(), &promise, checked);
        Investigated {
            listed,
            ..Investigated::of_one_run(finding, Vec::new(), start)
        }
    }

    /// Explores the clients of one interval, up to the first with an error. What they come to goes to the archive.
    pub(crate) fn explore_part<P: Property>(
        &self,
        chosen: Chosen<'_, impl IntoIterator<Item = Client>>,
        part: &Range<usize>,
        property: &(impl Fn(&Client) -> Result<P, Unfit> + Sync),
        checked: Checked,
        start: Instant,
    ) -> Result<Investigated, Error> {
        let limits = self.effort.limits();
        self.keep_to(limits);
        self.events.hear(PipelineEvent::Started {
            alone: part.len() == 1,
            limits,
        });
        let clients = chosen.clients.into_iter();
        let clients = clients.skip(part.start).take(part.len());
        let promise = Promise::named(self.effort.method);
        let setup = self.archive.map(|archive| archive.of(self.code));
        let keeping = Keeping {
            plan: &self.plan(),
            promise: &promise,
            purse: &limits,
            progress: &|progress| self.events.hear(PipelineEvent::Explored(progress)),
            beyond: &|_| false,
            memory: setup.as_ref().map(|setup| setup as _),
            warm: None,
        };
        let kept = keep(self.code, clients, property, keeping).map_err(Error::from)?;
        // Whatever clients behind the first with an error did is not spoken of.
        self.code.take_hidden();
        if let Some(Stopped::Limit(limit)) = kept.stopped {
            return Err(Error::TaskStopped(limit));
        }
        if let Some(setup) = &setup {
            setup.settle(kept.needed(), &self.plan());
        }
        Ok(self.only_searched(&kept, false, &promise, checked, start))
    }

    /// What a search came to, without a word on what is wrong; whether accesses `raced` that may not.
    pub(crate) fn only_searched(
        &self,
        kept: &Kept,
        raced: bool,
        promise: &Promise,
        checked: Checked,
        start: Instant,
    ) -> Investigated {
        let finding = self.nothing_found(kept, promise, checked);
        Investigated {
            seen: self.seen(kept),
            wrong: kept.error.is_some() || raced && self.races.fail,
            ..Investigated::of_one_run(finding, Vec::new(), start)
        }
    }

    /// Walks parts of walks over graphs, each up to so many leaves. What they come to goes to the archive.
    pub(crate) fn walk_parts<P: Property>(
        &self,
        parts: &[PartTask],
        property: &(impl Fn(&Client) -> Result<P, Unfit> + Sync),
        checked: Checked,
        start: Instant,
    ) -> Result<Investigated, Error> {
        let limits = self.effort.limits();
        self.keep_to(limits);
        let (plan, fresh) = (self.plan(), self.code.fresh());
        let setup = self.archive.map(|archive| archive.of(self.code));
        let leaves = setup.as_ref().and_then(Recall::most_leaves);
        let leaves = leaves.unwrap_or(u64::MAX);
        let clients: Vec<Client> = parts.iter().map(PartTask::client).collect();
        let walked = parts.iter().zip(&clients).map(|(part, client)| {
            let fresh = fresh.as_ref().filter(|_| part.fresh);
            PartOfWalk {
                subject: fresh.unwrap_or(self.code),
                client,
                plan: &plan,
                steps: part.steps,
                part: &part.part,
                leaves,
            }
        });
        let walked: Vec<PartOfWalk<'_, _>> = walked.collect();
        let records = walk_parts(&walked, property, &limits);
        let records = records.map_err(|stopped| match stopped {
            WalkStopped::Limit(limit) => Error::TaskStopped(limit),
            WalkStopped::Error(error) => Error::from(error),
        })?;
        self.code.take_hidden();
        let wrong = records.iter().any(|record| record.wrong);
        for ((part, client), record) in parts.iter().zip(&clients).zip(records) {
            let name = WalkName {
                client,
                plan: &plan,
                fresh: part.fresh,
                steps: part.steps,
            };
            if let Some(setup) = &setup {
                setup.note_part(&name, &part.part, record);
            }
        }
        if let Some(setup) = &setup {
            setup.settle_parts();
        }
        let promise = Promise::named(self.effort.method);
        let finding = self.nothing_found(&Kept::default(), &promise, checked);
        Ok(Investigated {
            wrong,
            ..Investigated::of_one_run(finding, Vec::new(), start)
        })
    }
}
