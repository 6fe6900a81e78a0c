//! Source positions: line, column, function, the chain of inlining, and whose code it is.

use super::{Decoder, index};
use crate::frontend::loom;
use crate::llvm::debug::Node;
use crate::program::{Origin, Program, Site, SiteId, StrId};
use rustc_hash::FxHashMap;
use std::path::Path;

/// Positions found so far.
#[derive(Default)]
pub(super) struct Sites<'m> {
    by_node: FxHashMap<Node<'m>, SiteId>,
    by_site: FxHashMap<Site, SiteId>,
    scopes: FxHashMap<Node<'m>, Scope>,
    /// Where relative file names are relative to.
    here: String,
}

impl Sites<'_> {
    pub(super) fn new() -> Self {
        let here = std::env::current_dir().unwrap_or_default();
        Self {
            here: here.display().to_string(),
            ..Self::default()
        }
    }
}

/// A scope, as far as positions in it need it.
#[derive(Clone, Copy)]
struct Scope {
    file: StrId,
    function: StrId,
    origin: Origin,
}

impl<'m> Decoder<'m> {
    /// The position behind a location node.
    pub(super) fn site(&mut self, location: Option<Node<'m>>) -> SiteId {
        let Some(location) = location else {
            return 0;
        };
        if let Some(&known) = self.sites.by_node.get(&location) {
            return known;
        }
        let inlined_at = self.site(location.inlined_at());
        let Some(scope) = location.scope().map(|s| self.scope(s)) else {
            return 0;
        };
        let origin = match scope.origin {
            Origin::Plumbing if inlined_at != 0 => self.program.sites[inlined_at as usize].origin,
            own => own,
        };
        let id = self.add_site(Site {
            file: scope.file,
            line: location.line(),
            column: location.column(),
            function: scope.function,
            inlined_at,
            origin,
        });
        self.sites.by_node.insert(location, id);
        id
    }

    /// Where a function (its entry in the debug information) starts, and its name.
    pub(super) fn definition(&mut self, subprogram: Option<Node<'m>>) -> Option<(SiteId, StrId)> {
        let subprogram = subprogram?;
        let Scope {
            file,
            function,
            origin,
        } = self.scope(subprogram);
        let site = Site {
            file,
            line: subprogram.line(),
            function,
            origin,
            ..Site::default()
        };
        Some((self.add_site(site), function))
    }

    /// The same for a function without such an entry: shims that rustc makes are their callers' doing.
    pub(super) fn undocumented(&mut self, symbol: &str) -> (SiteId, StrId) {
        let function = self.intern(symbol);
        if !symbol.starts_with("_R") {
            return (0, function);
        }
        let origin = Origin::Plumbing;
        (
            self.add_site(Site {
                function,
                origin,
                ..Site::default()
            }),
            function,
        )
    }

    fn add_site(&mut self, site: Site) -> SiteId {
        let next = index(self.program.sites.len());
        let id = *self.sites.by_site.entry(site).or_insert(next);
        if id == next {
            self.program.sites.push(site);
        }
        id
    }

    fn scope(&mut self, node: Node<'m>) -> Scope {
        if let Some(&known) = self.sites.scopes.get(&node) {
            return known;
        }
        let path = self.file_path(node);
        let name = node.qualified_name();
        let scope = Scope {
            file: self.intern(&path),
            function: self.intern(&name),
            origin: origin(&path, &name),
        };
        self.sites.scopes.insert(node, scope);
        scope
    }

    /// The file as the compiler was given it, made absolute only if it was compiled elsewhere.
    fn file_path(&self, node: Node<'m>) -> String {
        let Some((directory, file)) = node.file() else {
            return String::new();
        };
        if directory.is_empty() || directory == self.sites.here || Path::new(&file).is_absolute() {
            return file;
        }
        Path::new(&directory).join(file).display().to_string()
    }
}

/// What std keeps in an `Arc` for itself: threads, their results, where they print.
const OWN_SHARES: [&str; 3] = ["std::thread::", "std::io::", "std::sys::"];

/// Whose code lies in `file` under `name`.
pub(super) fn origin(file: &str, name: &str) -> Origin {
    let rust = file.starts_with("/rustc/") || file.contains("/rustlib/src/rust/library/");
    if file.starts_with("/rust/deps/") || file.starts_with(loom::PATH) {
        return Origin::Plumbing;
    }
    if !rust {
        let cxx = file.contains("/include/c++/") || file.contains("/include/x86_64-linux-gnu/c++/");
        return if cxx { Origin::Plumbing } else { Origin::User };
    }
    let within = |module: &str| {
        name.strip_prefix(module)
            .is_some_and(|rest| rest.starts_with("::"))
    };
    if within("std::sync") || within("std::sys::sync") {
        return Origin::Sync;
    }
    if within("std::thread::scoped") {
        return Origin::Count;
    }
    if within("alloc::sync") {
        let shared = name.split_once('<').map_or("", |(_, argument)| argument);
        let own = OWN_SHARES.iter().any(|module| shared.starts_with(module));
        return if own { Origin::Trusted } else { Origin::Count };
    }
    if within("std") && !within("std::collections") && !within("std::hash") {
        return Origin::Trusted;
    }
    Origin::Plumbing
}

/// Whether a thread is finished is told by the number of owners of its result: where a program asks, that number is no longer std's own business.
pub(super) fn show_owners_of_results(program: &mut Program) {
    let name = |site: &Site| &program.strings[site.function as usize];
    let asks = |site: &Site| {
        let name = name(site);
        name.starts_with("std::thread::") && name.contains("::is_finished")
    };
    if !program.sites.iter().any(asks) {
        return;
    }
    let counts = |site: &Site| {
        let (name, result) = (name(site), "<std::thread::");
        let shared = name.split_once(result).map_or("", |(_, shared)| shared);
        let shared = shared.strip_prefix("lifecycle::").unwrap_or(shared);
        name.starts_with("alloc::sync::") && shared.starts_with("Packet<")
    };
    let mut shown: Vec<bool> = program.sites.iter().map(counts).collect();
    for (id, site) in program.sites.iter_mut().enumerate() {
        shown[id] |= site.inlined_at != 0 && shown[site.inlined_at as usize];
        if shown[id] && site.origin == Origin::Trusted {
            site.origin = Origin::Count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_follow_file_and_module() {
        let library = |crate_: &str| format!("/rustc/59807616e1fa/library/{crate_}/src/x.rs");
        assert_eq!(origin("src/main.rs", "std::sync::mine"), Origin::User);
        assert_eq!(
            origin("/usr/include/ck_stack.h", "ck_stack_push"),
            Origin::User
        );
        assert_eq!(
            origin("/usr/include/c++/12/atomic", "std::atomic<int>::load"),
            Origin::Plumbing
        );
        assert_eq!(
            origin(&library("core"), "core::sync::atomic::AtomicUsize::load"),
            Origin::Plumbing
        );
        assert_eq!(
            origin(&library("std"), "std::sys::sync::mutex::futex::Mutex::lock"),
            Origin::Sync
        );
        assert_eq!(
            origin(&library("std"), "std::thread::spawn<f, i32>"),
            Origin::Trusted
        );
        let counted = |name: &str| origin(&library("alloc"), name);
        assert_eq!(counted("alloc::sync::{impl#3}::clone<i32>"), Origin::Count);
        assert_eq!(
            counted("alloc::sync::Arc<i32>::strong_count<i32, alloc::alloc::Global>"),
            Origin::Count
        );
        assert_eq!(
            counted("alloc::sync::{impl#37}::drop<std::sync::poison::mutex::Mutex<i32>>"),
            Origin::Count
        );
        assert_eq!(
            counted("alloc::sync::{impl#37}::drop<std::thread::Packet<()>, alloc::alloc::Global>"),
            Origin::Trusted
        );
        assert_eq!(
            origin(&library("alloc"), "alloc::vec::Vec<i32>::push"),
            Origin::Plumbing
        );
    }
}
