//! Makes a module and its client small, as long as something is still so.

use crate::client::Client;
use crate::language::{Block, Kind, Module, Statement};

/// Blocks with one statement less, or with the inside of a statement in its place.
fn smaller_blocks(block: &Block) -> Vec<Block> {
    let mut all = Vec::new();
    for (i, statement) in block.iter().enumerate() {
        let with = |middle: &[Statement]| [&block[..i], middle, &block[i + 1..]].concat();
        all.push(with(&[]));
        match statement {
            Statement::If(test, yes, no) => {
                all.push(with(yes));
                all.push(with(no));
                for yes in smaller_blocks(yes) {
                    all.push(with(&[Statement::If(*test, yes, no.clone())]));
                }
                for no in smaller_blocks(no) {
                    all.push(with(&[Statement::If(*test, yes.clone(), no)]));
                }
            }
            Statement::Loop(body) => {
                for body in smaller_blocks(body) {
                    all.push(with(&[Statement::Loop(body)]));
                }
            }
            Statement::Region(guard, body) => {
                all.push(with(body));
                for body in smaller_blocks(body) {
                    all.push(with(&[Statement::Region(*guard, body)]));
                }
            }
            _ => {}
        }
    }
    all
}

/// Everything that is one change smaller.
fn smaller(module: &Module, client: &Client) -> Vec<(Module, Client)> {
    let mut all: Vec<(Module, Client)> = Vec::new();
    if client.concurrent() > 0 {
        all.extend(client.smaller().into_iter().map(|c| (module.clone(), c)));
    }
    let used = |f: usize| {
        let threads = client.threads.iter().flatten();
        let mut calls = client.before.iter().chain(threads).chain(&client.after);
        calls.any(|c| usize::from(c.function) == f)
    };
    let last = module.functions.len() - 1;
    let started =
        |f: usize| module.any(&|s| matches!(s, Statement::Start(_, g, _) if usize::from(*g) == f));
    let is_idle = match module.kind {
        Kind::Object => client.concurrent() > 0 && !used(last),
        Kind::Program => !started(last),
    };
    if last > 0 && is_idle {
        let mut less = module.clone();
        less.functions.pop();
        all.push((less, client.clone()));
    }
    for (f, function) in module.functions.iter().enumerate() {
        for body in smaller_blocks(&function.body) {
            let mut less = module.clone();
            less.functions[f].body = body;
            all.push((less, client.clone()));
        }
        if client.concurrent() == 0 && function.arguments.len() > 1 {
            let mut less = module.clone();
            less.functions[f].arguments.pop();
            all.push((less, client.clone()));
        }
    }
    all
}

/// A smallest module and client for which `still` holds; at most `tries` are tried.
pub fn shrink(
    module: Module,
    client: Client,
    mut tries: usize,
    still: &mut dyn FnMut(&Module, &Client) -> bool,
) -> (Module, Client) {
    let (mut module, mut client) = (module, client);
    'again: loop {
        for (m, c) in smaller(&module, &client) {
            if tries == 0 {
                break 'again;
            }
            tries -= 1;
            if still(&m, &c) {
                (module, client) = (m, c);
                continue 'again;
            }
        }
        break;
    }
    (module, client)
}
