//! Slurm runs the tasks: a cluster of one node, with a key, ports and folders of its own, which the test starts and ends. Only `./test --long` does, for it installs Slurm.

use crate::linspect::{repository, run};
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// All clients are right, under both models.
const TEST: [&str; 3] = ["examples/rust/queue.rs", "--max-operations", "2"];

/// How long the cluster may take to start, and the tasks to run.
const PATIENCE: Duration = Duration::from_secs(300);

/// The daemons of a cluster; they end with the test, however that ends.
struct Cluster {
    folder: PathBuf,
    daemons: Vec<Child>,
}

impl Cluster {
    fn start(folder: &Path) -> Self {
        for inner in ["state", "spool"] {
            fs::create_dir_all(folder.join(inner)).expect("a folder");
        }
        let key = folder.join("munge.key");
        fs::write(&key, [7; 128]).expect("a key");
        fs::set_permissions(&key, fs::Permissions::from_mode(0o400)).expect("its owner's");
        let mut cluster = Self {
            folder: folder.to_owned(),
            daemons: Vec::new(),
        };
        fs::write(cluster.file("slurm.conf"), cluster.configuration()).expect("a file");
        let name = |option: &str, file: &str| {
            format!("--{option}={folder}/{file}", folder = folder.display())
        };
        let munged = [
            "--foreground".to_owned(),
            "--force".to_owned(),
            name("key-file", "munge.key"),
            name("socket", "munge.socket"),
            name("pid-file", "munged.pid"),
            name("seed-file", "munged.seed"),
        ];
        cluster.daemon("munged", &munged);
        cluster.wait_for("munged", |cluster| cluster.file("munge.socket").exists());
        cluster.daemon("slurmctld", &["-D".to_owned()]);
        cluster.daemon("slurmd", &["-D".to_owned()]);
        cluster.wait_for("the node", |cluster| {
            let state = cluster.command("sinfo").args(["-h", "-o", "%T"]).output();
            state.is_ok_and(|said| said.stdout.starts_with(b"idle"))
        });
        cluster
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn configuration(&self) -> String {
        let said = Command::new("slurmd").arg("-C").output();
        let said = said.expect("Slurm is installed: `./test --long` does that");
        let said = String::from_utf8_lossy(&said.stdout).into_owned();
        let node = said
            .split_whitespace()
            .find_map(|w| w.strip_prefix("NodeName="));
        let node = node.expect("a node has a name");
        let folder = self.folder.display();
        // Ports of a range that nobody is given by default.
        let port = 20_000 + std::process::id() % 10_000;
        let next = port + 10_000;
        format!(
            "ClusterName=linspect\nSlurmctldHost={node}(127.0.0.1)\nSlurmUser=root\nSlurmctldPort={port}\nSlurmdPort={next}\n\
             AuthType=auth/munge\nAuthInfo=socket={folder}/munge.socket\nStateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool\n\
             SlurmctldPidFile={folder}/slurmctld.pid\nSlurmdPidFile={folder}/slurmd.pid\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nMpiDefault=none\n\
             NodeName={node} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\nPartitionName=all Nodes={node} Default=YES MaxTime=INFINITE State=UP\n"
        )
    }

    /// A command of this cluster, which finds the binary under test.
    fn command(&self, program: &str) -> Command {
        let bin = Path::new(env!("CARGO_BIN_EXE_linspect")).parent();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let paths = bin.map(Path::to_owned).into_iter();
        let path = std::env::join_paths(paths.chain(std::env::split_paths(&path)));
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.file("slurm.conf"));
        command.env("PATH", path.expect("plain paths"));
        command.current_dir(repository());
        command
    }

    fn daemon(&mut self, program: &str, arguments: &[String]) {
        let log = File::create(self.file(&format!("{program}.log"))).expect("a log");
        let mut command = self.command(program);
        command.args(arguments).stdin(Stdio::null());
        let errors = log.try_clone().expect("a log");
        let daemon = command.stdout(log).stderr(errors).spawn();
        self.daemons.push(daemon.expect("it is installed"));
    }

    fn wait_for(&self, what: &str, is_there: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !is_there(self) {
            assert!(
                start.elapsed() < PATIENCE,
                "{what} does not come up: {:?}",
                self.folder
            );
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for mut daemon in self.daemons.drain(..).rev() {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

/// An array job of Slurm comes to what one process does.
#[test]
fn slurm_runs_the_tasks() {
    if std::env::var_os("LINSPECT_LONG").is_none() {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("slurm");
    let _ = fs::remove_dir_all(&folder);
    let cluster = Cluster::start(&folder.join("cluster"));
    let tasks = folder.join("tasks");
    let place = tasks.to_str().expect("a plain path");
    let planned = ["shard", "plan", place, "--shards", "6", "--"];
    let planned = run(&[&planned[..], &TEST].concat());
    assert_eq!(planned.code, Some(0), "{planned:?}");
    let said = run(&["shard", "submit", place, "--to", "slurm", "--slots", "2"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let done = cluster.command("sh").args(["-c", said.out.trim()]).output();
    let done = done.expect("a shell");
    assert!(done.status.success(), "{done:?}");
    let status = run(&["shard", "status", place]);
    assert!(status.out.starts_with("6 of 6 tasks done"), "{status:?}");
    let merged = run(&["shard", "merge", place, "--", "--json"]);
    let alone = run(&[&["test"], &TEST[..], &["--budget", "none", "--json"]].concat());
    assert_eq!(merged.code, Some(0), "{merged:?}");
    assert!(merged.out.len() > 100, "{merged:?}");
    assert_eq!(merged.out, alone.out);
}
