//! The objects on a real processor: they compile without warnings, are right in one thread, and the right
//! ones also in several.
//!
//! A family's harness is linked with `runtime.c`, which stands in for Linspect's machine. What operations return becomes a
//! history, and `linspect-core` decides it.

mod build;
mod histories;
mod order;

use build::Binary;
use histories::{check, parallel, sequential};
use linspect_zoo::{Object, Zoo};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::thread;

/// A tenth of the work unless `LINSPECT_LONG` is set.
fn scaled(count: u32) -> u32 {
    if std::env::var_os("LINSPECT_LONG").is_some() {
        count
    } else {
        count.div_ceil(10)
    }
}

#[test]
fn objects_keep_to_their_specification() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    Zoo::extract(folder.path()).expect("extracts");
    // A family shares its harness, so it is one piece of work.
    let mut families: BTreeMap<Option<String>, Vec<Object>> = BTreeMap::new();
    for object in Zoo::bundled().expect("the zoo is in order").objects {
        let family = families.entry(object.harness.clone()).or_default();
        family.push(object);
    }
    let work = Mutex::new(families.into_values());
    let complaints = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(family) = work.lock().expect("nobody panicked").next() else {
                        break;
                    };
                    for object in family {
                        if let Err(complaint) = examine(&object, folder.path()) {
                            let mut all = complaints.lock().expect("nobody panicked");
                            all.push(format!("{}: {complaint}", object.name));
                        }
                    }
                }
            });
        }
    });
    let complaints = complaints.into_inner().expect("nobody panicked");
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

fn examine(object: &Object, zoo: &Path) -> Result<(), String> {
    let binary = Binary::build(object, zoo)?;
    let alone = sequential(object, &binary, scaled(100))?;
    let wrong = alone.iter().find_map(|history| {
        check(object, history)
            .and_then(|()| order::check(object, history))
            .err()
    });
    match (wrong, object.sequential) {
        (Some(complaint), true) => return Err(format!("in one thread: {complaint}")),
        (None, false) => return Err("is right in one thread, which it should not be".to_owned()),
        _ => {}
    }
    let right = object.linearizable || object.quasi == Some(true);
    if right && object.native_threads && !object.blocks_when_empty {
        for history in parallel(object, &binary, scaled(500))? {
            check(object, &history).map_err(|c| format!("in three threads: {c}"))?;
        }
    }
    Ok(())
}
