//! The descriptions are complete and hang together.

use linspect_zoo::{BugKind, Language, Zoo};
use std::fs;

fn zoo() -> Zoo {
    Zoo::bundled().unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn every_faulty_object_says_what_is_wrong_and_has_a_right_twin() {
    let zoo = zoo();
    for object in &zoo.objects {
        let wrong = !object.linearizable && object.quasi != Some(true);
        assert_eq!(
            wrong,
            object.bug.is_some() && object.quasi != Some(true),
            "{}",
            object.name
        );
        if wrong {
            let twin = object.twin.as_ref().expect(&object.name);
            let twin = zoo.object(twin).expect("checked when loaded");
            assert!(
                twin.linearizable || twin.quasi == Some(true),
                "{}",
                twin.name
            );
            assert_eq!(twin.spec, object.spec, "{}", object.name);
        }
        // A fault of atomicity can be pointed at, one that needs no interleaving cannot.
        assert_eq!(
            wrong && !object.serial,
            !object.decisive.is_empty(),
            "{}",
            object.name
        );
        assert!(
            !object.serial || object.repair.is_empty(),
            "{}",
            object.name
        );
        assert!(!object.cases.is_empty(), "{}", object.name);
        assert_eq!(
            object.k.is_some(),
            object.quasi.is_some(),
            "{}",
            object.name
        );
    }
}

#[test]
fn sections_begin_before_they_end() {
    for object in zoo().objects {
        for section in object.repair {
            assert_eq!(section.first.file, section.last.file, "{}", object.name);
            assert!(section.first.line <= section.last.line, "{}", object.name);
        }
    }
}

#[test]
fn there_is_as_much_as_the_papers_have() {
    let zoo = zoo();
    let of = |language| {
        zoo.objects
            .iter()
            .filter(|o| o.language == language)
            .count()
    };
    assert_eq!(of(Language::C), 66);
    assert_eq!(of(Language::Cpp), 10);
    assert_eq!(of(Language::Rust), 18);
    assert_eq!(zoo.programs.len(), 31);
    let kinds = |kind| zoo.programs.iter().filter(|p| p.kind == kind).count();
    assert_eq!(kinds(BugKind::Atomicity), 18);
    assert_eq!(kinds(BugKind::Order), 5);
    assert_eq!(kinds(BugKind::DataRace), 5);
    assert_eq!(kinds(BugKind::Linearizability), 1);
    assert_eq!(kinds(BugKind::Sequential), 2);
    assert!(zoo.programs.iter().all(|p| !p.reflects.is_empty()));
}

#[test]
fn extracted_files_are_the_embedded_ones() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    Zoo::extract(folder.path()).expect("extracts");
    for object in zoo().objects {
        for file in &object.files {
            let written = fs::read_to_string(folder.path().join(file)).expect(file);
            assert_eq!(Some(written.as_str()), Zoo::text(file));
        }
    }
}

/// cargo leaves a folder with a manifest of its own out of the package around it, and an installed Linspect would not have the objects in it.
#[test]
fn nothing_in_the_zoo_is_a_package() {
    let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("zoo")];
    while let Some(folder) = folders.pop() {
        assert!(!folder.join("Cargo.toml").exists(), "{}", folder.display());
        let inside = fs::read_dir(folder).expect("the zoo is readable");
        folders.extend(inside.flatten().map(|e| e.path()).filter(|p| p.is_dir()));
    }
}
