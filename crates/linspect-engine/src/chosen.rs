//! Which clients are run, and what is promised of them.

use super::investigate::Investigation;
use super::request::{Effort, Task};
use crate::client_text;
use crate::error::Error;
use linspect_core::client::{Client, Declared};
use linspect_core::spec::Erased;
use linspect_explore::clients::ClientFamily;
use linspect_explore::promise::Promise;
use linspect_explore::search::{Method, SearchError, Twin};
use linspect_explore::warm_up::{warm_up, warmed};
use std::rc::Rc;

/// Clients to run, and what is promised of them.
#[derive(Clone)]
pub(super) struct Chosen<'w, I = Vec<Client>> {
    pub(super) promise: Promise,
    pub(super) clients: I,
    /// The size of the first client that is not among them; none if all that there are are.
    pub(super) next: Option<usize>,
    /// The same client with threads that warm up, where they do more at first than later.
    pub(super) warm: Option<Rc<Twin<'w>>>,
}

impl Chosen<'static> {
    /// Clients that somebody named, explored by `method`.
    pub(super) fn named(clients: Vec<Client>, method: Method) -> Self {
        Self {
            promise: Promise::named(method),
            clients,
            next: None,
            warm: None,
        }
    }
}

impl Investigation<'_> {
    /// All clients of a family, and what is promised of them.
    pub(super) fn chosen<'f>(
        &self,
        family: &'f ClientFamily<'f, Erased<'f>>,
        spec: &'f Erased<'f>,
        declared: &'f [Declared],
    ) -> Chosen<'f, impl Iterator<Item = Client> + 'f> {
        let promise = self.promise(family);
        // Parts of a search that others put together are cold clients.
        let may_warm = promise.usual && matches!(self.task, Task::Search | Task::Orderings);
        let call = may_warm
            .then(|| warm_up(self.code, spec, declared))
            .flatten();
        let Some(call) = call else {
            return Chosen {
                promise,
                clients: family.clients(),
                next: None,
                warm: None,
            };
        };
        let said = client_text::show_call(&call, declared);
        Chosen {
            promise: promise.or_warm(said),
            clients: family.clients(),
            next: None,
            warm: Some(Rc::new(move |client: &Client| {
                warmed(client, &call, spec, declared)
            })),
        }
    }

    /// The clients of an object that should behave like `spec`.
    pub(super) fn family<'f>(
        &self,
        spec: &'f Erased<'f>,
        declared: &'f [Declared],
    ) -> Result<ClientFamily<'f, Erased<'f>>, Error> {
        let family = ClientFamily::new(spec, declared, self.effort.sizes());
        Ok(family.map_err(SearchError::from)?)
    }

    /// What is promised of a family of clients.
    pub(super) fn promise(&self, family: &ClientFamily<'_, Erased<'_>>) -> Promise {
        let Effort {
            operations,
            threads,
            method,
            ..
        } = *self.effort;
        let sizes = self.effort.sizes();
        if operations.is_some() || threads.is_some() || method != Method::Exhaustive {
            return Promise::sizes(sizes, method);
        }
        let enough = Promise::enough_clients();
        let usual = Promise::usual(sizes, |operations| family.count(operations, enough));
        match self.is_weak() {
            true => usual.exhausted(),
            false => usual,
        }
    }
}
