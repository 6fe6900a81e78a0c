//! The descriptions are complete and hang together.

use linspect_zoo::{BugKind, Language, Object, Zoo};
use std::collections::BTreeSet;
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

/// Where the twin is mended in other lines than the fault shows in: its numbers carry a count of changes from a function beside `pop`, and its walk holds one
/// lock more on the way to the lines that unlink a node.
const MENDED_ELSEWHERE: [&str; 2] = ["cpp_index_stack", "cpp_pred_locked_set"];

/// A variant is its twin and a patch; the patch is what the fault is. So what a description points at must lie where the two differ.
#[test]
fn descriptions_point_at_what_differs_from_the_twin() {
    let zoo = zoo();
    let (mut variants, mut elsewhere) = (0, Vec::new());
    for object in zoo.objects.iter().filter(|o| !o.decisive.is_empty()) {
        let twin = object.twin.as_ref().and_then(|name| zoo.object(name));
        let twin = twin.expect("a faulty object has a twin");
        let pairs = || object.files.iter().zip(&twin.files);
        let lines = |file: &str| Zoo::text(file).expect("embedded").lines().count();
        let all: usize = object.files.iter().map(|file| lines(file)).sum();
        let differs: BTreeSet<(&str, u32)> = pairs()
            .flat_map(|(file, twin)| differing(file, twin).into_iter().map(|l| (&**file, l)))
            .collect();
        // What was written anew is no variant.
        if differs.is_empty() || 5 * differs.len() > 2 * all {
            continue;
        }
        variants += 1;
        if !described(object).any(|(file, line)| {
            (line.saturating_sub(1)..=line + 1).any(|near| differs.contains(&(file, near)))
        }) {
            elsewhere.push(&object.name);
        }
    }
    assert!(variants > 20, "only {variants} variants");
    assert_eq!(elsewhere, MENDED_ELSEWHERE);
}

/// The lines that a description points at.
fn described(object: &Object) -> impl Iterator<Item = (&str, u32)> {
    let decisive = object.decisive.iter().map(|p| (&*p.file, p.line));
    let sections = object.repair.iter().chain(&object.or_repair);
    let sections =
        sections.flat_map(|s| (s.first.line..=s.last.line).map(|line| (&*s.first.file, line)));
    decisive.chain(sections)
}

/// The lines of `file`, from 1, that `twin` does not have, and those before and after which it has others: what is in no longest common subsequence.
fn differing(file: &str, twin: &str) -> Vec<u32> {
    let read = |path| {
        Zoo::text(path)
            .expect("embedded")
            .lines()
            .collect::<Vec<_>>()
    };
    let (a, b) = (read(file), read(twin));
    let mut common = vec![vec![0_u32; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i][j] = match a[i] == b[j] {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            (i, j) = (i + 1, j + 1);
        } else if j == b.len() || i < a.len() && common[i + 1][j] >= common[i][j + 1] {
            i += 1;
            lines.push(i as u32);
        } else {
            j += 1;
            lines.push(i as u32);
        }
    }
    lines.dedup();
    lines
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
