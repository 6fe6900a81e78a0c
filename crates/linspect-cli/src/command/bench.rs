//! `linspect bench papers`: the tables of the literature, theirs beside ours, from the code path that a user takes.

mod cgvt;
mod detection;
mod every;
mod long;
mod mended;
mod races;
mod row;
mod rows;
mod sections;
mod slices;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use linspect_zoo::{Paper, Zoo};
use row::Row;
use std::path::PathBuf;
use std::time::Duration;

/// Options of `linspect bench`.
#[derive(Debug, clap::Args)]
pub(crate) struct Typed {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// The tables of the papers; exit code 1 if a row falls short
    Papers {
        /// Only this paper's
        #[arg(long, value_name = "PAPER")]
        only: Option<TypedPaper>,

        /// Print rows as JSON
        #[arg(long)]
        json: bool,

        /// Where sources go
        #[arg(long, value_name = "FOLDER", default_value = "linspect-out")]
        out: PathBuf,
    },
    /// How long it takes to find every known fault of the zoo; exit code 1 if one is missed
    Detection {
        /// Only those whose name contains this
        #[arg(long, value_name = "NAME", default_value = "")]
        only: String,

        /// Print rows as JSON
        #[arg(long)]
        json: bool,

        /// Where sources go
        #[arg(long, value_name = "FOLDER", default_value = "linspect-out")]
        out: PathBuf,
    },
    /// Long random runs of every wrong object, made the smallest tests; exit code 1 if one is not certified within a second
    Minimise(every::Typed),
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

/// Runs the rows and prints them as they come.
pub(crate) fn run(typed: &Typed, screen: &mut Screen) -> Result<Exit, Failure> {
    let (only, json, out) = match &typed.what {
        What::Papers { only, json, out } => (only, json, out),
        What::Detection { only, json, out } => return detection::run(only, *json, out, screen),
        What::Minimise(typed) => return every::run(typed, screen),
    };
    let zoo = Zoo::bundled().map_err(Failure::Zoo)?;
    let folder = out.join("zoo");
    Zoo::extract(&folder).map_err(Failure::Zoo)?;
    let mut short = 0;
    let mut count = 0;
    let mut show = |row: &Row, screen: &mut Screen| {
        count += 1;
        short += usize::from(!row.reached);
        screen.print(&if *json { row.json() } else { row.text() })
    };
    for (typed_paper, paper, title) in [
        (TypedPaper::Ru, Paper::Ru, "RU: verdicts"),
        (
            TypedPaper::Cgvt,
            Paper::Cgvt,
            "CGVT: from a long random run to the smallest test",
        ),
        (TypedPaper::Fgvt, Paper::Fgvt, "FGVT: decisive races"),
        (TypedPaper::Rc, Paper::Rc, "RC: atomic sections"),
    ] {
        if only.is_some_and(|o| o != typed_paper) {
            continue;
        }
        if !json {
            screen.print(&format!("{title}\n"))?;
        }
        let mut time = Duration::ZERO;
        for object in zoo.objects.iter().filter(|o| o.papers.contains(&paper)) {
            for row in rows::of(object, paper, &folder)? {
                time += row.time;
                show(&row, screen)?;
            }
        }
        if paper == Paper::Rc {
            let large = sections::large();
            time += large.time;
            show(&large, screen)?;
            for object in zoo.objects.iter().filter(|o| o.k.is_none()) {
                if let Some(row) = rows::mended(object, &folder)? {
                    time += row.time;
                    show(&row, screen)?;
                }
            }
        }
        if !json {
            let seconds = time.as_secs_f64();
            screen.print(&format!("  all together {seconds:.1} s\n"))?;
        }
    }
    if only.is_none_or(|o| o == TypedPaper::Ei) {
        if !json {
            screen.print("EI: slices\n")?;
        }
        let programs = zoo.programs.iter();
        let programs: Vec<_> = programs.filter(|p| p.papers.contains(&Paper::Ei)).collect();
        for row in slices::rows(&programs, &folder)? {
            count += 1;
            short += usize::from(!row.reached);
            screen.print(&if *json { row.json() } else { row.text() })?;
        }
    }
    if !json {
        screen.print(&format!("{} of {count} rows reached\n", count - short))?;
    }
    Ok(if short == 0 {
        Exit::Holds
    } else {
        Exit::Violation
    })
}

impl Row {
    fn text(&self) -> String {
        let mark = if self.reached { "✓" } else { "✗" };
        let time = self.time.as_secs_f64() * 1000.0;
        let mut text = format!(
            "  {mark} {:<44} {:<30} {time:>7.0} ms  theirs: {}\n",
            self.name, self.object, self.theirs
        );
        text.push_str(&format!("      ours: {}\n", self.ours));
        text
    }

    fn json(&self) -> String {
        let row = serde_json::json!({
            "row": self.name,
            "object": self.object,
            "theirs": self.theirs,
            "ours": self.ours,
            "reached": self.reached,
        });
        format!("{row}\n")
    }
}
