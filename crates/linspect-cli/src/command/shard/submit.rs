//! The jobs of engines that exist: each runs every task of a plan once, and again if it fails. None of them is needed to build or to run Linspect.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use linspect_engine::shard::{HistoryPlan, ShardPlan};
use linspect_engine::typed_path;
use serde_json::json;
use std::path::PathBuf;

/// What `linspect shard submit` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct SubmitArgs {
    /// The folder of the plan
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// Which engine
    #[arg(long, value_name = "ENGINE")]
    to: Engine,

    /// How many tasks run at once; one uses all processors that it is given [default: as the engine has it]
    #[arg(long, value_name = "N")]
    slots: Option<usize>,

    /// The container image for `kubernetes`: it has `linspect` and the sources
    #[arg(long, value_name = "IMAGE", default_value = "linspect:latest")]
    image: String,

    /// The volume claim for `kubernetes` where the folder lies
    #[arg(long, value_name = "CLAIM", default_value = "linspect")]
    claim: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Engine {
    /// GNU parallel, on this machine or over ssh
    Parallel,
    /// Slurm: an array job
    Slurm,
    /// Kubernetes: an indexed job
    Kubernetes,
    /// HyperQueue: a task array
    Hyperqueue,
    /// GitHub Actions: a matrix
    Github,
}

/// A job: its file, and how it is started.
struct Job {
    file: &'static str,
    text: String,
    command: String,
}

/// How often a task is tried.
const TRIES: usize = 4;

/// Tasks of a plan for an engine.
struct Tasks<'a> {
    /// The folder, as a shell takes it.
    folder: String,
    count: usize,
    typed: &'a SubmitArgs,
}

/// Writes the job into the folder of the plan, and prints the one command that runs it.
pub(super) fn run(typed: &SubmitArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    let count = match HistoryPlan::read(&typed.folder)? {
        Some(plan) => plan.tasks(),
        None => ShardPlan::read(&typed.folder)?.tasks(),
    };
    let tasks = Tasks {
        folder: typed_path(&typed.folder),
        count,
        typed,
    };
    let job = match typed.to {
        Engine::Parallel => tasks.parallel(),
        Engine::Slurm => tasks.slurm(),
        Engine::Kubernetes => tasks.kubernetes(),
        Engine::Hyperqueue => tasks.hyperqueue(),
        Engine::Github => tasks.github(),
    };
    crate::files::write(&typed.folder.join(job.file), &job.text)?;
    screen.print(&format!("{}\n", job.command))?;
    Ok(Exit::Holds)
}

impl Tasks<'_> {
    fn last(&self) -> usize {
        self.count.saturating_sub(1)
    }

    fn parallel(&self) -> Job {
        let Self { folder, count, .. } = self;
        let numbers: String = (0..*count).map(|task| format!("{task}\n")).collect();
        let slots = self.typed.slots;
        let jobs = slots.map_or_else(String::new, |slots| format!("-j {slots} "));
        Job {
            file: "tasks.txt",
            text: numbers,
            command: format!(
                "parallel --will-cite {jobs}--retries {TRIES} --joblog {folder}/joblog --resume-failed -a {folder}/tasks.txt linspect shard run {folder} {{}}"
            ),
        }
    }

    fn slurm(&self) -> Job {
        let Self { folder, .. } = self;
        let last = self.last();
        let slots = self.typed.slots;
        let most = slots.map_or_else(String::new, |slots| format!("%{slots}"));
        Job {
            file: "job.slurm",
            text: format!(
                "#!/bin/sh\n#SBATCH --job-name=linspect\n#SBATCH --array=0-{last}{most}\n#SBATCH --requeue\n#SBATCH --output={folder}/slurm-%a.log\nexport RAYON_NUM_THREADS=\"${{SLURM_CPUS_PER_TASK:-1}}\"\nexec linspect shard run {folder} \"$SLURM_ARRAY_TASK_ID\"\n"
            ),
            command: format!("sbatch --wait {folder}/job.slurm"),
        }
    }

    fn kubernetes(&self) -> Job {
        let Self { folder, count, .. } = self;
        let run = format!("exec linspect shard run {folder} \"$JOB_COMPLETION_INDEX\"");
        let job = json!({
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": { "name": "linspect" },
            "spec": {
                "completionMode": "Indexed",
                "completions": count,
                "parallelism": self.typed.slots.unwrap_or(*count).min(*count),
                "backoffLimitPerIndex": TRIES - 1,
                "template": { "spec": {
                    "restartPolicy": "Never",
                    "containers": [{
                        "name": "linspect",
                        "image": self.typed.image,
                        "workingDir": "/work",
                        "command": ["/bin/sh", "-c"],
                        "args": [run],
                        "volumeMounts": [{ "name": "work", "mountPath": "/work" }],
                    }],
                    "volumes": [{
                        "name": "work",
                        "persistentVolumeClaim": { "claimName": self.typed.claim },
                    }],
                } },
            },
        });
        Job {
            file: "job.json",
            text: format!("{job:#}\n"),
            command: format!(
                "kubectl apply -f {folder}/job.json && kubectl wait --for=condition=complete --timeout=-1s job/linspect"
            ),
        }
    }

    fn hyperqueue(&self) -> Job {
        let Self { folder, .. } = self;
        let last = self.last();
        Job {
            file: "task.sh",
            text: format!("#!/bin/sh\nexec linspect shard run {folder} \"$HQ_TASK_ID\"\n"),
            command: format!(
                "hq submit --wait --array 0-{last} --crash-limit {TRIES} sh {folder}/task.sh"
            ),
        }
    }

    fn github(&self) -> Job {
        let Self { folder, count, .. } = self;
        // A matrix has at most 256 jobs: each of them takes every so many-th task.
        let jobs = self
            .typed
            .slots
            .unwrap_or(*count)
            .clamp(1, 256)
            .min((*count).max(1));
        let numbers: Vec<String> = (0..jobs).map(|job| job.to_string()).collect();
        let numbers = numbers.join(", ");
        let last = self.last();
        Job {
            file: "linspect-shards.yml",
            text: format!(
                "\
name: linspect-shards
on: workflow_dispatch
jobs:
  run:
    runs-on: ubuntu-latest
    strategy:
      fail-fast: false
      matrix:
        job: [{numbers}]
    steps:
      - uses: actions/checkout@v4
      - run: cargo install --locked linspect-cli
      - run: linspect shard run {folder} $(seq ${{{{ matrix.job }}}} {jobs} {last})
      - uses: actions/upload-artifact@v4
        with:
          name: results-${{{{ matrix.job }}}}
          path: {folder}/results/
          include-hidden-files: false
  merge:
    needs: run
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: cargo install --locked linspect-cli
      - uses: actions/download-artifact@v4
        with:
          path: {folder}/results/
          merge-multiple: true
      - run: linspect shard merge {folder}
"
            ),
            command: format!(
                "mkdir -p .github/workflows && cp {folder}/linspect-shards.yml .github/workflows/ && git add -f .github/workflows/linspect-shards.yml {folder}/plan && git commit -m 'linspect: tasks' && git push && gh workflow run linspect-shards.yml"
            ),
        }
    }
}
