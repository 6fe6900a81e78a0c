//! The tables of the papers, theirs beside ours.

use crate::failure::Failure;
use crate::row::Row;
use crate::{print, rows, sections, slices};
use linspect_zoo::{Paper, Zoo};
use std::path::PathBuf;
use std::time::Duration;

/// Options of `papers`.
#[derive(Debug, clap::Args)]
pub(crate) struct PapersArgs {
    /// Only this paper's
    #[arg(long, value_name = "PAPER")]
    only: Option<TypedPaper>,

    /// Print rows as JSON
    #[arg(long)]
    json: bool,

    /// Where sources go
    #[arg(long, value_name = "FOLDER", default_value = "linspect-out")]
    out: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TypedPaper {
    /// Decisive races
    Fgvt,
    /// Verdicts of quasi and standard linearizability
    Ru,
    /// Long random runs, and the smallest tests made of them
    Cgvt,
    /// Atomic sections
    Rc,
    /// Slices
    Ei,
}

/// The tables whose rows are objects of the zoo.
const TABLES: [(TypedPaper, Paper, &str); 4] = [
    (TypedPaper::Ru, Paper::Ru, "RU: verdicts"),
    (
        TypedPaper::Cgvt,
        Paper::Cgvt,
        "CGVT: from a long random run to the smallest test",
    ),
    (TypedPaper::Fgvt, Paper::Fgvt, "FGVT: decisive races"),
    (TypedPaper::Rc, Paper::Rc, "RC: atomic sections"),
];

/// Runs the rows, prints them as they come, and says whether all are reached.
pub(crate) fn run(typed: &PapersArgs) -> Result<bool, Failure> {
    let zoo = Zoo::bundled()?;
    let folder = typed.out.join("zoo");
    Zoo::extract(&folder)?;
    let mut shown = Shown {
        json: typed.json,
        count: 0,
        short: 0,
    };
    for (typed_paper, paper, title) in TABLES {
        if typed.only.is_some_and(|o| o != typed_paper) {
            continue;
        }
        shown.title(title)?;
        let mut time = Duration::ZERO;
        for object in zoo.objects.iter().filter(|o| o.papers.contains(&paper)) {
            for row in rows::of(object, paper, &folder)? {
                time += shown.row(&row)?;
            }
        }
        if paper == Paper::Rc {
            time += shown.row(&sections::large())?;
            for object in zoo.objects.iter().filter(|o| o.k.is_none()) {
                if let Some(row) = rows::repaired(object, &folder)? {
                    time += shown.row(&row)?;
                }
            }
        }
        if !typed.json {
            print(&format!("  all together {:.1} s\n", time.as_secs_f64()))?;
        }
    }
    if typed.only.is_none_or(|o| o == TypedPaper::Ei) {
        shown.title("EI: slices")?;
        let programs = zoo.programs.iter();
        let programs: Vec<_> = programs.filter(|p| p.papers.contains(&Paper::Ei)).collect();
        for row in slices::rows(&programs, &folder)? {
            shown.row(&row)?;
        }
    }
    if !typed.json {
        let Shown { count, short, .. } = shown;
        print(&format!("{} of {count} rows reached\n", count - short))?;
    }
    Ok(shown.short == 0)
}

/// What was printed so far.
struct Shown {
    json: bool,
    count: usize,
    /// Rows that are not reached.
    short: usize,
}

impl Shown {
    fn title(&self, title: &str) -> Result<(), Failure> {
        match self.json {
            true => Ok(()),
            false => print(&format!("{title}\n")),
        }
    }

    /// Prints a row, and gives the time that it took.
    fn row(&mut self, row: &Row) -> Result<Duration, Failure> {
        self.count += 1;
        self.short += usize::from(!row.reached);
        print(&if self.json { row.json() } else { row.text() })?;
        Ok(row.time)
    }
}
