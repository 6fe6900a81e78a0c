//! Prints what a program decodes to: `cargo run -p linspect-vm --bin linspect-decode FILE… [-- compiler flags]`.
//!
//! For those who work on the decoder; `VERBOSE=1` lists all instructions.

use linspect_vm::frontend::{Source, helper, load};
use linspect_vm::program::Inst;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    if let Some(code) = helper::answer() {
        return code;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (files, flags) = match arguments.iter().position(|a| a == "--") {
        Some(at) => (&arguments[..at], &arguments[at + 1..]),
        None => (&arguments[..], &[][..]),
    };
    let source = Source {
        files: files.iter().map(Into::into).collect(),
        c_flags: flags.to_vec(),
        rust_flags: flags.to_vec(),
        ..Source::default()
    };
    let start = Instant::now();
    let program = match load(&source) {
        Ok(program) => program,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    eprintln!("loaded in {:?}", start.elapsed());
    let verbose = std::env::var_os("VERBOSE").is_some();
    let mut unsupported: BTreeMap<&str, u32> = BTreeMap::new();
    for function in &program.functions {
        if verbose {
            println!(
                "{} {}",
                program.text(function.symbol),
                program.text(function.name)
            );
        }
        for (pc, inst) in function.code.iter().enumerate() {
            if let Inst::Unsupported { what } = inst {
                *unsupported.entry(program.text(*what)).or_default() += 1;
            }
            if verbose {
                let site = program.sites[function.sites[pc] as usize];
                let path = function
                    .paths
                    .iter()
                    .find(|p| p.0 as usize == pc)
                    .map_or("", |p| program.text(p.1));
                println!(
                    "  {pc:4} {inst:?}  {}:{}:{} {:?} {path}",
                    program.text(site.file),
                    site.line,
                    site.column,
                    site.origin
                );
            }
        }
        if verbose {
            println!(
                "  edges {:?} copies {:?} args {:?}",
                function.edges, function.copies, function.arguments
            );
        }
    }
    let (declared, defined): (Vec<_>, Vec<_>) =
        program.functions.iter().partition(|f| f.is_declaration());
    let mut names: Vec<_> = declared.iter().map(|f| program.text(f.symbol)).collect();
    names.sort_unstable();
    println!(
        "{} functions, {} globals, {} sites",
        defined.len(),
        program.globals.len(),
        program.sites.len()
    );
    println!(
        "instructions: {}",
        defined.iter().map(|f| f.code.len()).sum::<usize>()
    );
    println!("declared: {}", names.join(" "));
    for (what, count) in unsupported {
        println!("unsupported {count} × {what}");
    }
    ExitCode::SUCCESS
}
