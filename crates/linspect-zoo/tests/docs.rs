//! `docs/zoo.md` lists what the zoo has. `LINSPECT_BLESS=1 cargo test -p linspect-zoo` writes its tables anew.

use linspect_zoo::{Language, Object, Paper, Zoo, ZooProgram};
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

const BEGIN: &str =
    "<!-- from here on written by `LINSPECT_BLESS=1 cargo test -p linspect-zoo` -->\n";

#[test]
fn the_document_lists_the_zoo() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/zoo.md");
    let text = fs::read_to_string(&path).expect("docs/zoo.md is there");
    let (introduction, tables) = text.split_once(BEGIN).expect("the marker is there");
    let now = tables_of(&Zoo::bundled().expect("the zoo is in order"));
    if env::var_os("LINSPECT_BLESS").is_some() {
        fs::write(&path, format!("{introduction}{BEGIN}{now}")).expect("docs/zoo.md is writable");
    } else {
        assert_eq!(tables, now, "docs/zoo.md is out of date");
    }
}

fn tables_of(zoo: &Zoo) -> String {
    let mut out = String::from("\n## Objects\n\n");
    out.push_str(
        "| object | language | from | specification | linearizable | what is wrong | twin |\n",
    );
    out.push_str("|---|---|---|---|---|---|---|\n");
    for object in &zoo.objects {
        row(&mut out, object);
    }
    out.push_str("\n## Programs\n\n");
    out.push_str("| program | from | kind | what is wrong |\n|---|---|---|---|\n");
    for program in &zoo.programs {
        program_row(&mut out, program);
    }
    out
}

fn row(out: &mut String, object: &Object) {
    let verdict = match (object.linearizable, object.k, object.quasi) {
        (true, ..) => "yes".to_owned(),
        (false, Some(k), Some(true)) => format!("no; {k}-quasi: yes"),
        (false, Some(k), Some(false)) => format!("no; {k}-quasi: no"),
        (false, ..) => "no".to_owned(),
    };
    let from = origin(&object.papers, object.reconstruction);
    writeln!(
        out,
        "| `{}`, `zoo/{}` | {} | {from} | {} | {verdict} | {} | {} |",
        object.name,
        object.files[0],
        language(object.language),
        object.spec.name(),
        object.bug.as_deref().unwrap_or("–"),
        object
            .twin
            .as_ref()
            .map_or("–".to_owned(), |t| format!("`{t}`")),
    )
    .expect("a String takes it");
}

fn program_row(out: &mut String, program: &ZooProgram) {
    let kind = match program.kind {
        linspect_zoo::BugKind::Atomicity => "AV",
        linspect_zoo::BugKind::Order => "OV",
        linspect_zoo::BugKind::DataRace => "DR",
        linspect_zoo::BugKind::Linearizability => "LV",
        linspect_zoo::BugKind::Sequential => "SB",
    };
    let from = if program.reconstruction {
        format!("{}, reconstructed", program.row)
    } else {
        program.row.clone()
    };
    writeln!(
        out,
        "| `{}`, `zoo/{}` | {from} | {kind} | {} |",
        program.name, program.files[0], program.bug
    )
    .expect("a String takes it");
}

fn origin(papers: &[Paper], reconstruction: bool) -> String {
    let mut names: Vec<&str> = papers
        .iter()
        .map(|paper| match paper {
            Paper::Fgvt => "FGVT",
            Paper::Cgvt => "CGVT",
            Paper::Ru => "RU",
            Paper::Rc => "RC",
            Paper::Ei => "EI",
        })
        .collect();
    if names.is_empty() {
        names.push("our own");
    }
    let names = names.join(", ");
    if reconstruction {
        format!("{names}, reconstructed")
    } else {
        names
    }
}

fn language(language: Language) -> &'static str {
    match language {
        Language::C => "C",
        Language::Cpp => "C++",
        Language::Rust => "Rust",
    }
}
