//! Why a file is not a history. None of these is ever a verdict.

use crate::detect::Format;
use std::io;

/// What is wrong with an input, and where.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong there.
    pub problem: Problem,
    /// What it was read as.
    pub format: Format,
}

impl ReadError {
    /// What to do about it.
    pub fn help(&self) -> &'static str {
        let shape = match self.format {
            Format::Porcupine => {
                r#"an operation looks like {"ClientId":0,"Input":{"Op":"put","Key":"a","Value":1},"Call":1,"Output":{},"Return":2} (see docs/format.md)"#
            }
            Format::Maelstrom => {
                r#"a message looks like {"src":"c1","dest":"n0","body":{"type":"read","key":0,"msg_id":1}} (see docs/format.md)"#
            }
            Format::Itf => {
                "the last state of the trace has a variable `history`: a sequence of records with `process`, `type`, `f` and perhaps `value` (see docs/format.md)"
            }
            Format::JsonLines | Format::Edn | Format::Etcd | Format::Kv => {
                return self.problem.help();
            }
        };
        match self.problem {
            Problem::Json { .. } | Problem::Missing(_) | Problem::WrongType { .. } => shape,
            _ => self.problem.help(),
        }
    }
}

/// The kinds of [`ReadError`].
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The bytes could not be had.
    #[error("cannot read on: {0}")]
    Io(#[from] io::Error),
    /// Nothing in it is an operation.
    #[error("there is no operation in this history")]
    Empty,
    /// It looks like none of the formats.
    #[error("this is none of the known formats: it starts with {start:?}")]
    Unrecognised {
        /// How it starts.
        start: String,
    },
    /// It is compressed.
    #[error("this is compressed with {0}")]
    Compressed(&'static str),
    /// A line or a form exceeds what we are willing to hold in memory.
    #[error("this line or form is longer than {} MiB", limit >> 20)]
    TooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// The bytes are no text.
    #[error("byte {column} of this line is not UTF-8")]
    NotUtf8 {
        /// The byte, from 1.
        column: usize,
    },
    /// A string or symbol is no text.
    #[error("a string or symbol that ends here is not UTF-8")]
    NotText,
    /// The input ends inside something.
    #[error("the input ends inside {0}: it is truncated")]
    Truncated(&'static str),
    /// The header promised more or fewer operations.
    #[error(
        "the header promises {promised} operations, but there are {found}: the file is truncated or was edited"
    )]
    Count {
        /// What the header says.
        promised: u64,
        /// What was read, failed operations included.
        found: u64,
    },
    /// Not JSON, or not the JSON we need.
    #[error("{message} (column {column})")]
    Json {
        /// What the parser says.
        message: String,
        /// Where in the line, from 1.
        column: usize,
    },
    /// A JSON array instead of one object per line.
    #[error("this is a JSON array, not one JSON object per line")]
    JsonArray,
    /// Not EDN.
    #[error("this is not EDN: {0}")]
    Edn(String),
    /// Values nested too deeply.
    #[error("values are nested more than {0} deep")]
    TooDeep(usize),
    /// A header that is not on the first line.
    #[error("a header must be the first line")]
    LateHeader,
    /// A header of a later version.
    #[error("this is version {0} of the format, this program knows version 1")]
    Version(u64),
    /// A line that lacks something.
    #[error("`{0}` is missing")]
    Missing(&'static str),
    /// Something of the wrong type.
    #[error("`{key}` must be {wanted}, not {found}")]
    WrongType {
        /// Which key.
        key: &'static str,
        /// What it must be.
        wanted: &'static str,
        /// What it is.
        found: String,
    },
    /// A line that is both an event and a whole operation.
    #[error("a line has either `type` (an event) or `call` (a whole operation), not both")]
    BothForms,
    /// Some lines have times and others rely on their order.
    #[error(
        "this line {} a time, the lines before it {}",
        if *here { "has" } else { "lacks" },
        if *here { "have none" } else { "have one" }
    )]
    MixedTime {
        /// Whether this line has one.
        here: bool,
    },
    /// A return before its call.
    #[error("the return at {ret} is before the call at {call}")]
    BackwardTime {
        /// The call's time.
        call: u64,
        /// The return's time.
        ret: u64,
    },
    /// `u64::MAX` stands for *never*.
    #[error("the time {} is reserved", u64::MAX)]
    ReservedTime,
    /// A completion of nothing.
    #[error("process {process} ends `{method}`, but has no call in flight")]
    NoCall {
        /// Who.
        process: u32,
        /// What.
        method: String,
    },
    /// A call during another call of the same process.
    #[error(
        "process {process} calls `{method}` while its call of `{other}` from line {since} is in flight"
    )]
    TwoCalls {
        /// Who.
        process: u32,
        /// What it calls.
        method: String,
        /// What it already called.
        other: String,
        /// Where.
        since: u32,
    },
    /// A completion of another method than the one called.
    #[error("process {process} ends `{method}`, but what it called on line {since} is `{called}`")]
    OtherMethod {
        /// Who.
        process: u32,
        /// What ended.
        method: String,
        /// What was called.
        called: String,
        /// Where.
        since: u32,
    },
    /// A completion that names another key than its call.
    #[error(
        "process {process} ends `{method}` of key {key}, but called it on line {since} with another key"
    )]
    OtherKey {
        /// Who.
        process: u32,
        /// What.
        method: String,
        /// The key of the completion.
        key: String,
        /// Where it was called.
        since: u32,
    },
    /// An operation that this format does not have.
    #[error("unknown operation `{method}` (this format has {known})")]
    UnknownMethod {
        /// The method.
        method: String,
        /// What there is.
        known: &'static str,
    },
    /// An operation on several objects at once.
    #[error("`{0}` is a transaction: it reads and writes several objects at once")]
    Transaction(String),
    /// An operation that takes everything out of a queue.
    #[error("`drain` takes many values out in one operation")]
    Drain,
    /// Something that operations of one object cannot say.
    #[error("this is {0}")]
    Unsupported(&'static str),
    /// A line that starts as one of this format and goes on differently.
    #[error("cannot understand this line: {0}")]
    Malformed(String),
    /// Too many methods, operations or lines to number them.
    #[error("there are more than {limit} {what}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many are possible.
        limit: u64,
    },
}

impl Problem {
    /// This problem, on line `line`.
    pub(crate) fn at(self, line: u32) -> ReadError {
        ReadError {
            line,
            problem: self,
            format: Format::default(),
        }
    }

    /// What to do about it, whatever the format.
    fn help(&self) -> &'static str {
        match self {
            Self::Io(_) => "check that the file exists and can be read",
            Self::Empty => "record at least one call; the process of a client is a number",
            Self::Unrecognised { .. } => {
                "known are JSON Lines, Jepsen EDN, etcd logs, key-value logs, porcupine's JSON, Maelstrom's messages and ITF traces; choose one with --format (see docs/format.md)"
            }
            Self::Compressed(_) => "decompress it first: `zcat FILE | linspect check -`",
            Self::TooLong { .. } => "write one event or operation per line",
            Self::NotUtf8 { .. } | Self::NotText => "write texts in UTF-8, and bytes as numbers",
            Self::Truncated(_) => "record it again, or cut the file after its last complete line",
            Self::Count { .. } => "record it again, or drop `operations` from the header",
            Self::Json { .. } | Self::Missing(_) | Self::WrongType { .. } => {
                "a line looks like {\"process\":0,\"type\":\"invoke\",\"f\":\"enqueue\",\"value\":1} (see docs/format.md)"
            }
            Self::JsonArray => {
                "turn it into one object per line: `jq -c '.[]' FILE | linspect check -`"
            }
            Self::Edn(_) => {
                "an event looks like {:process 0, :type :invoke, :f :enqueue, :value 1} (see docs/format.md)"
            }
            Self::TooDeep(_) => "flatten the value, or write it as a text",
            Self::LateHeader => "move it to the top; one file holds one history",
            Self::Version(_) => "update linspect",
            Self::BothForms => "drop `type`, or drop `call` and `return`",
            Self::MixedTime { .. } => {
                "give a time to every line, or to none: then the order of the lines is the order of time"
            }
            Self::BackwardTime { .. } => "take both times from the same monotonic clock",
            Self::ReservedTime => "use nanoseconds since the start of the run",
            Self::NoCall { .. } => {
                "every `ok`, `fail` or `info` needs an `invoke` of the same process before it"
            }
            Self::TwoCalls { .. } => {
                "a process is sequential: number the clients apart, and end a call that timed out with `info`"
            }
            Self::OtherMethod { .. } | Self::OtherKey { .. } => {
                "a completion repeats what its `invoke` says; is the process number shared by two clients?"
            }
            Self::UnknownMethod { .. } => {
                "use JSON Lines or EDN for other objects (see docs/format.md)"
            }
            Self::Transaction(_) => {
                "linspect decides histories of single objects; for transactions use Elle (https://github.com/jepsen-io/elle)"
            }
            Self::Drain => {
                "write a `dequeue` for each value that it returned, all from its call to its return, each by a process of its own"
            }
            Self::Unsupported(_) => {
                "linspect decides operations of single objects; leave such histories to the checker that comes with their test"
            }
            Self::Malformed(_) => {
                "a line looks like `INFO  jepsen.util - 0 :invoke :write 3`; remove lines that are damaged"
            }
            Self::TooMany { .. } => "split the recording",
        }
    }
}
