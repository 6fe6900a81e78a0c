//! Runs a program under a random schedule: `cargo run --example run -- FILE [SEED]`.
use linspect_core::client::Client;
use linspect_core::machine::{Machine as _, Subject as _};
use linspect_vm::{Chooser, Code, Settings, frontend, run};

fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().expect("a file");
    let seed = args.next().map_or(0, |s| s.parse().expect("a number"));
    let program = match frontend::load(&frontend::Source::file(file)) {
        Ok(program) => program,
        Err(error) => panic!("{error}"),
    };
    let code = Code::new(program, Settings::default()).expect("something to run");
    let ran = run(&code, &Client::default(), &Chooser::Random(seed), 1_000_000).expect("it starts");
    for step in &ran.execution.steps {
        for a in &step.accesses {
            let site = code.site(a.site);
            eprintln!(
                "T{} {}:{} {:?} {} {:x} {:x} {:?}",
                step.choice.thread,
                site.file,
                site.line,
                a.action,
                ran.machine.name(a.location),
                a.read,
                a.written,
                a.ordering
            );
        }
        if let Some(fault) = &step.fault {
            let site = code.site(fault.site);
            eprintln!(
                "T{} FAULT {:?} {} at {}:{} ({})",
                step.choice.thread, fault.kind, fault.message, site.file, site.line, site.function
            );
        }
    }
    print!("{}", String::from_utf8_lossy(ran.machine.output()));
    eprint!("{}", String::from_utf8_lossy(ran.machine.errors()));
    eprintln!(
        "{:?} exit {:?}, {} steps",
        ran.execution.end,
        ran.machine.exit_code(),
        ran.execution.steps.len()
    );
}
