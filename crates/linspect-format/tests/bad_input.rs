//! What is not a history: each with the line, the reason, and never a panic.

use linspect_format::{Format, NilRead, read};

/// The message for `input`.
fn message(input: &[u8]) -> String {
    message_as(input, None)
}

fn message_as(input: &[u8], format: Option<Format>) -> String {
    let error = read(input, format, NilRead::Unknown).expect_err("not a history");
    assert!(!error.help().is_empty());
    error.to_string()
}

/// A good line before each bad one, so that the line number says something.
fn second_line(line: &str) -> String {
    let first = r#"{"process":9,"type":"invoke","f":"read"}"#;
    message(format!("{first}\n{line}\n").as_bytes())
}

#[test]
fn nothing() {
    let empty = "line 1: there is no operation in this history";
    assert_eq!(message(b""), empty);
    assert_eq!(message(b" \n\n"), empty);
    assert_eq!(message(b"; only a comment\n"), empty);
    assert_eq!(message(b"{\"linspect\":1}"), empty);
    assert_eq!(message(b"[]"), empty);
}

#[test]
fn other_formats() {
    assert_eq!(
        message(b"process,type,f\n0,invoke,read\n"),
        r#"line 1: this is none of the known formats: it starts with "process,type,f\n0,invoke,read\n""#
    );
    assert_eq!(
        message(b"\x1f\x8b\x08\x00"),
        "line 1: this is compressed with gzip"
    );
    assert_eq!(
        message(b"[\n{\"process\":0,\"type\":\"invoke\",\"f\":\"read\"}]"),
        "line 1: this is a JSON array, not one JSON object per line"
    );
}

#[test]
fn truncated_json() {
    let whole = "{\"process\":0,\"type\":\"invoke\",\"f\":\"read\"}\n{\"process\":0,\"type\":\"ok\",\"f\":\"read\",\"value\":1}";
    for end in 42..whole.len() - 1 {
        assert_eq!(
            message(&whole.as_bytes()[..end]),
            "line 2: the input ends inside a JSON object: it is truncated"
        );
    }
    let counted = "{\"linspect\":1,\"operations\":2}\n{\"process\":0,\"f\":\"read\",\"call\":1}\n";
    assert_eq!(
        message(counted.as_bytes()),
        "line 2: the header promises 2 operations, but there are 1: the file is truncated or was edited"
    );
}

#[test]
fn truncated_edn() {
    let start = "{:process 0 :type :invoke :f :read}\n";
    for (rest, inside) in [
        ("{:process 0 :type", "a form"),
        ("{:process 0", "a map"),
        ("{:process 0 :value [1 2", "a collection"),
        ("{:process 0 :value \"abc", "a string"),
        ("{:process 0 :value \"abc\\", "a string"),
        ("{:process 0 :value \\", "a character"),
    ] {
        assert_eq!(
            message(format!("{start}{rest}").as_bytes()),
            format!("line 2: the input ends inside {inside}: it is truncated")
        );
    }
    assert_eq!(
        message(b"[{:process 0 :type :invoke :f :read}\n"),
        "line 2: the input ends inside a vector or list of events: it is truncated"
    );
}

#[test]
fn truncated_log() {
    let log =
        "INFO  jepsen.util - 0\t:invoke\t:cas\t[1 2]\nINFO  jepsen.util - 0\t:ok\t:cas\t[1 2]";
    let last = log.find('\n').unwrap() + 1;
    // After the process number comes a line of another shape, which a log may have.
    for end in (last + 1..last + 19).chain(last + 22..log.len()) {
        assert_eq!(
            message(&log.as_bytes()[..end]),
            "line 2: the input ends inside a line: it is truncated",
            "{:?}",
            &log[..end]
        );
    }
}

#[test]
fn calls_and_returns_that_do_not_match() {
    assert_eq!(
        second_line(r#"{"process":0,"type":"ok","f":"dequeue","value":1}"#),
        "line 2: process 0 ends `dequeue`, but has no call in flight"
    );
    assert_eq!(
        second_line(r#"{"process":9,"type":"invoke","f":"write","value":1}"#),
        "line 2: process 9 calls `write` while its call of `read` from line 1 is in flight"
    );
    assert_eq!(
        second_line(r#"{"process":9,"type":"ok","f":"write"}"#),
        "line 2: process 9 ends `write`, but what it called on line 1 is `read`"
    );
    let keys = "{:process 0 :type :invoke :f :get :key 1 :value nil}\n{:process 0 :type :ok :f :get :key 2 :value nil}";
    assert_eq!(
        message(keys.as_bytes()),
        "line 2: process 0 ends `get` of key 2, but called it on line 1 with another key"
    );
    let whole = "{\"process\":0,\"f\":\"inc\",\"call\":1,\"return\":5}\n{\"process\":0,\"f\":\"dec\",\"call\":4,\"return\":6}\n";
    assert_eq!(
        message(whole.as_bytes()),
        "line 2: process 0 calls `dec` while its call of `inc` from line 1 is in flight"
    );
    let log = "INFO  jepsen.util - 0\t:invoke\t:read\tnil\nINFO  jepsen.util - 1\t:ok\t:read\t3\n";
    assert_eq!(
        message(log.as_bytes()),
        "line 2: process 1 ends `read`, but has no call in flight"
    );
}

#[test]
fn wrong_types() {
    for (line, said) in [
        (
            r#"{"process":"a","type":"ok","f":"read"}"#,
            "invalid type: string \"a\", expected a process number from 0 to 4294967295 (column 14)",
        ),
        (
            r#"{"process":-1,"type":"ok","f":"read"}"#,
            "invalid type: integer `-1`, expected a process number from 0 to 4294967295 (column 13)",
        ),
        (
            r#"{"process":4294967296,"type":"ok","f":"read"}"#,
            "invalid value: integer `4294967296`, expected a process number from 0 to 4294967295 (column 21)",
        ),
        (
            r#"{"process":0,"type":"okay","f":"read"}"#,
            "`type` must be invoke, ok, fail or info, not \"okay\" (column 26)",
        ),
        (
            r#"{"process":0,"type":"ok","f":7}"#,
            "invalid type: integer `7`, expected a text (column 30)",
        ),
        (
            r#"{"process":9,"type":"ok","f":"read","value":1.5}"#,
            "1.5 has a fraction, an exponent or more than 64 bits: write it as a text, \"1.5\" (column 47)",
        ),
        (
            r#"{"process":9,"type":"ok","f":"read","value":9223372036854775808}"#,
            "9223372036854775808 does not fit into 64 bits with sign: write it as a text, \"9223372036854775808\" (column 63)",
        ),
        (
            r#"{"process":9,"type":"ok","f":"read","value":{"a":1}}"#,
            "a value cannot be an object: write it as an array or a text (column 48)",
        ),
        (
            r#"{"process":0,"f":"inc","call":-3,"return":4}"#,
            "invalid type: integer `-3`, expected a time: a whole number that is not negative (column 32)",
        ),
        (
            r#"{"process":0,"f":"inc","call":1.25}"#,
            "invalid type: floating point `1.25`, expected a time: a whole number that is not negative (column 34)",
        ),
        (
            r#"{"process":0,"process":0}"#,
            "duplicate field `process` (column 25)",
        ),
        (r#"{"type":"invoke","f":"read"}"#, "`process` is missing"),
        (r#"{"process":0,"type":"invoke"}"#, "`f` is missing"),
        (r#"{"process":0,"f":"read"}"#, "`type` or `call` is missing"),
        (
            r#"{"process":0,"f":"inc","type":"ok","call":1}"#,
            "a line has either `type` (an event) or `call` (a whole operation), not both",
        ),
        (
            r#"{"process":0,"f":"inc","call":1}"#,
            "this line has a time, the lines before it have none",
        ),
        (
            r#"{"linspect":1,"spec":"queue"}"#,
            "a header must be the first line",
        ),
        (
            "7",
            "invalid type: integer `7`, expected a JSON object (column 1)",
        ),
        (r#"{"process":0,}"#, "trailing comma (column 14)"),
    ] {
        assert_eq!(second_line(line), format!("line 2: {said}"));
    }
    assert_eq!(
        message(b"{\"linspect\":2}"),
        "line 1: this is version 2 of the format, this program knows version 1"
    );
}

#[test]
fn wrong_times() {
    assert_eq!(
        message(b"{\"process\":0,\"f\":\"inc\",\"call\":5,\"return\":4}"),
        "line 1: the return at 4 is before the call at 5"
    );
    assert_eq!(
        message(b"{\"process\":0,\"f\":\"inc\",\"call\":5,\"return\":18446744073709551615}"),
        "line 1: the time 18446744073709551615 is reserved"
    );
    let mixed = "{\"process\":0,\"f\":\"inc\",\"call\":5,\"return\":7}\n{\"process\":1,\"type\":\"invoke\",\"f\":\"inc\"}";
    assert_eq!(
        message(mixed.as_bytes()),
        "line 2: this line lacks a time, the lines before it have one"
    );
}

#[test]
fn wrong_edn() {
    for (line, said) in [
        (
            "{:process 0 :type :okay :f :read}",
            "`type` must be :invoke, :ok, :fail or :info, not \"okay\"",
        ),
        (
            "{:process 0 :type 7 :f :read}",
            "`type` must be :invoke, :ok, :fail or :info, not \"7\"",
        ),
        (
            "{:process -1 :type :ok :f :read}",
            "`process` must be a number from 0 to 4294967295, not -1",
        ),
        (
            "{:process 0 :type :ok :f [1]}",
            "`f` must be a keyword, not something without a name",
        ),
        ("{:process 0 :type :ok}", "`f` is missing"),
        ("{:process 0 :f :read}", "`type` is missing"),
        ("{:type :ok :f :read}", "`process` is missing"),
        ("{:process}", "this is not EDN: unexpected `}`"),
        ("{:process 0]", "this is not EDN: unexpected `]`"),
        (")", "this is not EDN: unexpected `)`"),
        ("42", "this is not EDN: an event must be a map, not 42"),
        ("#{1}", "this is not EDN: an event must be a map, not a set"),
        (
            "{:value {1}}",
            "this is not EDN: a map has a key without a value",
        ),
        (
            r#"{:value "\q"}"#,
            "this is not EDN: there is no escape \\q",
        ),
        (
            r#"{:value "\u12x"}"#,
            "this is not EDN: a \\u needs four digits",
        ),
        (
            r#"{:value "\ud800"}"#,
            "this is not EDN: \\ud800 is half a character",
        ),
        ("{:value # }", "this is not EDN: `#` without a tag"),
    ] {
        let input = format!("{{:process 9 :type :invoke :f :read}}\n{line}\n");
        assert_eq!(
            message(input.as_bytes()),
            format!("line 2: {said}"),
            "{line}"
        );
    }
}

#[test]
fn unknown_operations() {
    assert_eq!(
        message(b"INFO  jepsen.util - 0\t:invoke\t:read\tnil\nINFO  jepsen.util - 1\t:invoke\t:swap\t3\n"),
        "line 2: unknown operation `swap` (this format has read, write and cas)"
    );
    assert_eq!(
        message(b"{:process 0 :type :invoke :f :frob :key 1 :value nil}"),
        "line 1: unknown operation `frob` (this format has get, put, append, delete and cas)"
    );
    assert_eq!(
        message(b"INFO  jepsen.util - 0\t:invoke\t:read\tnil\nINFO  jepsen.util - 1\t:invoke\t:write\tnil\n"),
        "line 2: `value` must be a number for :write, [from to] for :cas, not nil"
    );
}

#[test]
fn not_utf_8() {
    assert_eq!(
        message(b"{\"process\":0,\"type\":\"invoke\",\"f\":\"read\"}\n{\"process\":\xff}\n"),
        "line 2: byte 12 of this line is not UTF-8"
    );
    assert_eq!(
        message(b"{:process 0 :type :invoke :f :read}\n{:process 0 :value \"\xff\"}\n"),
        "line 2: a string or symbol that ends here is not UTF-8"
    );
    // UTF-16, in both orders of bytes.
    for start in [&b"\xff\xfe{\x00"[..], b"\xfe\xff\x00{"] {
        assert_eq!(message(start), "line 1: byte 1 of this line is not UTF-8");
    }
}

#[test]
fn a_line_or_form_of_a_gigabyte() {
    use std::io::Read;
    let long = "line 1: this line or form is longer than 16 MiB";
    for (start, format) in [
        (&b"{\"process\":0,\"f\":\""[..], Format::JsonLines),
        (b"{:process 0 :value \"", Format::Edn),
        (b"{:process 0 :value [", Format::Edn),
        (b"[{:process ", Format::Edn),
    ] {
        let input = start.chain(std::io::repeat(b' ').take(1 << 30));
        let error = read(input, None, NilRead::Unknown).expect_err("too long");
        assert_eq!(error.to_string(), long, "{format}");
    }
}

#[test]
fn deep_values() {
    let deep = "[".repeat(100_000);
    assert_eq!(
        message(format!("{{:process 0 :value {deep}").as_bytes()),
        "line 1: values are nested more than 128 deep"
    );
    assert_eq!(
        message(format!("{{\"process\":0,\"value\":{deep}").as_bytes()),
        "line 1: recursion limit exceeded (column 148)"
    );
}

#[test]
fn json_of_other_programs() {
    let good = r#"{"ClientId":0,"Input":"dequeue","Call":1,"Return":2}"#;
    let porcupine = |line: &str| message(format!("{good}\n{line}\n").as_bytes());
    assert_eq!(
        porcupine(r#"{"Input":"x","Call":-1}"#),
        "line 2: `Call` must be a whole number from 0, not -1"
    );
    assert_eq!(porcupine(r#"{"Call":1}"#), "line 2: `Input` is missing");
    assert_eq!(
        porcupine(r#"{"Input":{"Op":7},"Call":1}"#),
        "line 2: `Op` must be a name, or with a `Key` 0 for get, 1 for put, 2 for append, not 7"
    );
    assert_eq!(
        porcupine(r#"{"Input":"x","Call":1,"Output":{"Lost":1},"Return":2}"#),
        "line 2: `Output` must be a value, or an object with `Value`, not {\"Lost\":1}"
    );
    assert_eq!(
        porcupine("{\"Input\":"),
        "line 2: the input ends inside a JSON object: it is truncated"
    );
    assert_eq!(
        porcupine("7"),
        "line 2: cannot understand this line: an object begins with `{`, not '7'"
    );
    assert_eq!(
        message(format!("[{good},\n{good}").as_bytes()),
        "line 2: the input ends inside a JSON array: it is truncated"
    );
    let put = r#"{"Type":"put-operation","Put":{"Key":"a","Value":{"Value":"1"}}}"#;
    let both = format!(
        r#"{{"Input":{{"Type":"txn","Txn":{{"OperationsOnSuccess":[],"OperationsOnFailure":[{put}]}}}},"Call":1,"Output":{{"Error":"lost"}},"Return":2}}"#
    );
    assert_eq!(
        porcupine(&both),
        "line 2: this is a transaction that writes when its comparison fails, and of which nobody knows whether it did"
    );
    let maelstrom = |body: &str| {
        let first = r#"{"src":"c1","dest":"n0","body":{"type":"read","key":1,"msg_id":1}}"#;
        message(format!("{first}\n{{\"src\":\"c2\",\"dest\":\"n0\",\"body\":{body}}}").as_bytes())
    };
    assert_eq!(
        maelstrom(r#"{"type":"write","key":1,"msg_id":1}"#),
        "line 2: `value` is missing"
    );
    assert_eq!(
        maelstrom(r#"{"type":"read","key":1}"#),
        "line 2: `msg_id` is missing"
    );
    assert_eq!(
        maelstrom(r#"{"type":"txn","txn":[],"msg_id":1}"#),
        "line 2: `txn` is a transaction: it reads and writes several objects at once"
    );
    let itf = |state: &str| {
        message(format!("{{\"#meta\":{{}},\"vars\":[],\"states\":[{state}]}}").as_bytes())
    };
    assert_eq!(itf(r#"{"x":1}"#), "line 1: `history` is missing");
    assert_eq!(
        itf(r#"{"history":3}"#),
        "line 1: `history` must be a sequence of records, not 3"
    );
    assert_eq!(
        itf(r#"{"history":[{"process":1,"type":"begin","f":"read"}]}"#),
        "line 1: `type` must be invoke, ok, fail or info, not \"begin\""
    );
}

/// Whoever wrote a trace is not told what a line of another format looks like.
#[test]
fn help_speaks_of_the_format_that_was_read() {
    for (input, expected) in [
        (
            r##"{"#meta":{},"vars":["history"],"states":[]}"##,
            "the last state",
        ),
        (
            r#"[{"ClientId":0,"Input":null,"Call":1,"Output":null,"Return":2}]"#,
            "an operation looks like",
        ),
        (r#"{"process":0,"type":"ok","f":7}"#, "a line looks like"),
    ] {
        let error = read(input.as_bytes(), None, NilRead::Absent).expect_err(input);
        assert!(error.help().starts_with(expected), "{}", error.help());
    }
}

#[test]
fn a_state_that_is_no_text_is_told_how_to_be_one() {
    let error = linspect_format::model("initial = []\n[calls]\n", "row").expect_err("a list");
    let expected = "`initial` is a whole number, true, false, or a text";
    assert!(error.to_string().contains(expected), "{error}");
}
