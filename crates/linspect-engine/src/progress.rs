//! Whether operations return as a harness promises, however threads are scheduled.
//!
//! Small clients are looked at before the search, with a part of its time beside its own; what comes of it is told only where nothing else is wrong.

use crate::error::Error;
use crate::investigate::Investigation;
use crate::request::Task;
use linspect_core::check::Budget;
use linspect_core::client::{Client, Declared, Invocation};
use linspect_core::machine::Subject;
use linspect_explore::clients::is_allowed;
use linspect_explore::progress::{
    ClientProgress, Overtaking, ProgressGuarantee, Stall, of_client, overtaken,
};
use linspect_explore::search::SearchError;

/// The threads and operations of the clients that are looked at.
pub(crate) const THREADS: usize = 2;
pub(crate) const OPERATIONS: usize = 3;

/// What part of the budget it may take: one of so many.
const SHARE: u32 = 4;

/// What is known.
pub(crate) enum Progress {
    /// Nothing was promised.
    Nothing,
    /// It is so in so many clients, with so many states.
    Kept(usize, usize),
    /// It is not.
    Broken(Client, Stall),
    /// This client has too many states, or there was no time for it.
    Undecided(Client),
}

/// What is known of progress where nothing is wrong with it.
#[derive(Clone, Debug)]
pub(crate) enum KnownProgress {
    /// It is as promised, in these words.
    Kept(String),
    /// It was not decided, for this reason.
    Undecided(String),
}

impl Investigation<'_> {
    /// What was promised: on the command line, or by the harness.
    pub(super) fn promised_progress(
        asked: Option<ProgressGuarantee>,
        declared: Option<&str>,
    ) -> Result<Option<ProgressGuarantee>, Error> {
        let declared = declared.map(|text| text.parse().map_err(|()| Error::Progress(text.into())));
        Ok(asked.or(declared.transpose()?))
    }

    /// Looks at `clients`, smallest first.
    pub(super) fn look_at_progress(
        &self,
        clients: impl Iterator<Item = Client>,
        declared: &[Declared],
    ) -> Result<Progress, Error> {
        let Some(guarantee) = self.progress else {
            return Ok(Progress::Nothing);
        };
        if self.is_weak() || self.is_program() || !matches!(self.task, Task::Search) {
            return Ok(Progress::Nothing);
        }
        self.enter("looking for operations that others can hinder");
        let limits = self.effort.limits();
        let share = limits.share(SHARE);
        let budget = share.as_deref().unwrap_or(&limits);
        let (mut looked, mut states) = (0, 0);
        for client in clients {
            let client = Client {
                after: Vec::new(),
                ..client
            };
            let mut machine = self.code.start(&client).map_err(SearchError::from)?;
            match of_client(&mut machine, guarantee, budget) {
                ClientProgress::Kept(more) => states += more,
                ClientProgress::Stalled(stall) => return Ok(Progress::Broken(client, stall)),
                ClientProgress::Undecided => return Ok(Progress::Undecided(client)),
            }
            looked += 1;
        }
        if guarantee == ProgressGuarantee::WaitFree {
            match self.overtaken(declared, budget)? {
                Overtaking::No => {}
                Overtaking::Yes(client, stall) => return Ok(Progress::Broken(client, stall)),
                Overtaking::Undecided(client) => return Ok(Progress::Undecided(client)),
            }
        }
        Ok(Progress::Kept(looked, states))
    }

    /// An operation that takes more and more steps the more others do.
    fn overtaken(&self, declared: &[Declared], budget: &dyn Budget) -> Result<Overtaking, Error> {
        let call = |(operation, d): (usize, &Declared)| Invocation {
            operation: operation as u16,
            argument: d.domain[0].clone(),
        };
        let calls: Vec<Invocation> = declared.iter().enumerate().map(call).collect();
        let single = calls.iter().map(|p| vec![p.clone()]);
        let both = |p: &Invocation| calls.iter().map(|q| vec![p.clone(), q.clone()]).collect();
        let rounds: Vec<Vec<Invocation>> = single
            .chain(calls.iter().flat_map(|p| -> Vec<_> { both(p) }))
            .collect();
        let mut open = None;
        for operation in &calls {
            for round in &rounds {
                let client = Client {
                    threads: vec![vec![operation.clone()], [&round[..], round].concat()],
                    ..Client::default()
                };
                if !is_allowed(&client, declared) {
                    continue;
                }
                let found = overtaken(self.code, &[], operation, round, budget);
                match found.map_err(SearchError::from)? {
                    Overtaking::No => {}
                    Overtaking::Yes(client, stall) => return Ok(Overtaking::Yes(client, stall)),
                    Overtaking::Undecided(client) => open = open.or(Some(client)),
                }
            }
        }
        Ok(open.map_or(Overtaking::No, Overtaking::Undecided))
    }
}
