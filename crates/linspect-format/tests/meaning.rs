//! What each format means: an input, and the operations that are in it.

use linspect_core::history::NEVER;
use linspect_core::value::Value;
use linspect_format::{Format, NilRead, Recorded, read};

/// Reads `input` and compares its operations: process, operation, call and return.
fn check(input: &str, format: Format, operations: &[&str]) -> Recorded {
    check_with(input, NilRead::Unknown, format, operations)
}

fn check_with(input: &str, nil: NilRead, format: Format, operations: &[&str]) -> Recorded {
    let recorded = read(input.as_bytes(), None, nil).unwrap_or_else(|e| panic!("{e}\n{input}"));
    assert_eq!(recorded.format, format);
    assert_eq!(recorded.lines.len(), recorded.history.operations.len());
    let shown: Vec<String> = (0..)
        .zip(&recorded.history.operations)
        .map(|(id, op)| {
            let ret = match op.ret {
                NEVER => String::from("∞"),
                ret => ret.to_string(),
            };
            let shown = recorded.history.show(id);
            format!("{}: {shown} [{}, {ret}]", op.process, op.call)
        })
        .collect();
    assert_eq!(shown, operations, "{input}");
    recorded
}

#[test]
fn events_happen_in_the_order_of_their_lines() {
    let recorded = check(
        r#"{"process":0,"type":"invoke","f":"enqueue","value":1}
{"process":1,"type":"invoke","f":"dequeue"}
{"process":0,"type":"ok","f":"enqueue"}

{"process":1,"type":"ok","f":"dequeue","value":1}
{"process":1,"type":"invoke","f":"dequeue","value":null}
{"process":1,"type":"ok","f":"dequeue","value":null}"#,
        Format::JsonLines,
        &[
            "0: enqueue(1) [1, 3]",
            "1: dequeue() → 1 [2, 4]",
            "1: dequeue() → nil [5, 6]",
        ],
    );
    assert_eq!(recorded.lines, [1, 2, 6]);
    assert_eq!((recorded.spec, recorded.initial), (None, None));
}

#[test]
fn what_failed_did_not_happen_and_what_is_open_may_happen_later() {
    let recorded = check(
        r#"{"process":0,"type":"invoke","f":"write","value":1}
{"process":1,"type":"invoke","f":"write","value":2}
{"process":2,"type":"invoke","f":"write","value":3}
{"process":3,"type":"invoke","f":"read"}
{"process":0,"type":"fail","f":"write","value":1}
{"process":1,"type":"info","f":"write","error":"timeout"}
{"process":1,"type":"invoke","f":"read"}
{"process":1,"type":"ok","f":"read","unknown":true}"#,
        Format::JsonLines,
        &[
            "1: write(2) … never returned [2, ∞]",
            "2: write(3) … never returned [3, ∞]",
            "3: read() … never returned [4, ∞]",
            "1: read() → ? [7, 8]",
        ],
    );
    assert_eq!((recorded.failed, recorded.ignored), (1, 0));
    assert_eq!(recorded.lines, [2, 3, 4, 7]);
}

#[test]
fn whole_operations_have_their_own_times_in_any_order() {
    let recorded = check(
        r#"{"linspect":1,"spec":"kv","initial":"","operations":4}
{"process":0,"f":"put","key":"k","value":"v","call":20,"return":30}
{"process":1,"f":"get","value":"k","result":"","call":10,"return":20}
{"process":1,"f":"cas","key":"k","value":["v","w"],"result":true,"call":20,"return":20}
{"process":2,"f":"delete","key":"k","call":5,"return":null}"#,
        Format::JsonLines,
        &[
            r#"2: delete("k") … never returned [5, ∞]"#,
            r#"1: get("k") → "" [10, 20]"#,
            r#"1: cas("k", "v", "w") → true [20, 20]"#,
            r#"0: put("k", "v") [20, 30]"#,
        ],
    );
    assert_eq!(recorded.lines, [5, 3, 4, 2]);
    assert_eq!(recorded.spec.as_deref(), Some("kv"));
    assert_eq!(recorded.initial, Some("".into()));
}

#[test]
fn events_may_have_times_and_equal_times_stay_equal() {
    check(
        r#"{"process":1,"type":"invoke","f":"inc","time":100}
{"process":1,"type":"ok","f":"inc","time":200}
{"process":0,"type":"invoke","f":"inc","time":50}
{"process":0,"type":"ok","f":"inc","time":100}
{"process":"nemesis","type":"info","f":"kill"}"#,
        Format::JsonLines,
        &["0: inc() [50, 100]", "1: inc() [100, 200]"],
    );
}

#[test]
fn every_json_value_has_a_meaning_or_is_an_error() {
    check(
        r#"{"process":0,"f":"f","value":[],"result":[null,true,-7,"\u00e9\n",[{}]],"call":1,"return":2,"more":{"a":[1.5]}}"#,
        Format::JsonLines,
        &[r#"0: f() → [nil, true, -7, "é\n", [()]] [1, 2]"#],
    );
    check(
        r#"{"process":0,"f":"f","value":{},"result":-9223372036854775808,"call":0,"return":0}"#,
        Format::JsonLines,
        &["0: f() → -9223372036854775808 [0, 0]"],
    );
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_do_not_matter() {
    let events = "{\"process\":0,\"type\":\"invoke\",\"f\":\"inc\"}\r\n{\"process\":0,\"type\":\"ok\",\"f\":\"inc\"}\r\n";
    for mark in ["", "\u{feff}"] {
        check(
            &format!("{mark}{events}"),
            Format::JsonLines,
            &["0: inc() [1, 2]"],
        );
    }
    let edn = "\u{feff}{:process 0 :type :invoke :f :inc}\r\n{:process 0 :type :ok :f :inc}\r\n";
    check(edn, Format::Edn, &["0: inc() [1, 2]"]);
}

#[test]
fn edn_is_a_vector_a_list_or_one_map_after_the_other() {
    let events = "{:process 0, :type :invoke, :f :write, :value 1}\n{:process 0, :type :ok, :f :write, :value 1}";
    for input in [
        events.to_owned(),
        format!("[{events}]"),
        format!("({events})"),
        format!("; a comment\n[\n{events} ; the end\n]\n"),
        format!(
            "#jepsen.history.History [{}]",
            events.replace("{:", "#jepsen.history.Op{:")
        ),
        events.replace('\n', " "),
    ] {
        check(&input, Format::Edn, &["0: write(1) → 1 [1, 2]"]);
    }
}

#[test]
fn edn_takes_keys_in_any_order_and_ignores_what_it_does_not_know() {
    let recorded = check(
        r#"[{:index 0, :time 3291485317, :value [0 3], :f :cas, :type :invoke, :process 4}
 {:type :info, :f :start, :process :nemesis, :value nil}
 #_ {:process 4, :type :ok, :f :read}
 {:type :ok :f "cas" :value true :process 4 :error #{:a [1 "}"]} "process" 4 #inst "2015-08-13" 1}]"#,
        Format::Edn,
        &["4: cas(0, 3) → true [3291485317, 3291485318]"],
    );
    assert_eq!(recorded.ignored, 1);
}

#[test]
fn edn_values_of_every_kind_become_values() {
    check(
        r#"{:process 0 :type :invoke :f :f :value [nil true 12N -3 "a\"\n\u00e9" :kw sym 1.5 2/3 99999999999999999999 \a \newline \( #{2 1} {:b 1 :a 2} () #uuid "x" ##NaN]}"#,
        Format::Edn,
        &[
            r###"0: f(nil, true, 12, -3, "a\"\né", ":kw", "sym", "1.5", "2/3", "99999999999999999999", "a", "\n", "(", [1, 2], [[":a", 2], [":b", 1]], [], "x", "##NaN") … never returned [1, ∞]"###,
        ],
    );
}

#[test]
fn equal_numbers_of_edn_are_equal_values_however_they_are_spelled() {
    check(
        r"{:process 0 :type :invoke :f :f :value [3 3N +3 99999999999999999999N +99999999999999999999 1.5 1.50 15e-1 -0.0 0.0 1.5M -x +y]}",
        Format::Edn,
        &[
            r#"0: f(3, 3, 3, "99999999999999999999", "99999999999999999999", "1.5", "1.5", "1.5", "0.0", "0.0", "1.5M", "-x", "+y") … never returned [1, ∞]"#,
        ],
    );
}

#[test]
fn a_nil_read_of_edn_is_unknown_unless_told_otherwise() {
    let input =
        "{:process 0 :type :invoke :f :read :value nil}{:process 0 :type :ok :f :read :value nil}";
    check(input, Format::Edn, &["0: read() → ? [1, 2]"]);
    check_with(
        input,
        NilRead::Absent,
        Format::Edn,
        &["0: read() → nil [1, 2]"],
    );
    let dequeue = input.replace("read", "dequeue");
    check(&dequeue, Format::Edn, &["0: dequeue() → nil [1, 2]"]);
}

/// Which of both a value is that a read was sent with, the object says.
#[test]
fn what_a_read_was_sent_with_can_be_left_out() {
    let input = r#"{"process":0,"type":"invoke","f":"read","value":1}
{"process":0,"type":"ok","f":"read","value":5}
{"process":0,"type":"invoke","f":"read","key":"a","value":1}"#;
    let mut recorded = check(
        input,
        Format::JsonLines,
        &[
            "0: read(1) → 5 [1, 2]",
            "0: read(\"a\") … never returned [3, ∞]",
        ],
    );
    assert!(recorded.sent_reads().eq([&Value::Int(1)]));
    recorded.leave_out_sent_reads();
    assert_eq!(recorded.history.show(0).to_string(), "read() → 5");
    assert_eq!(recorded.sent_reads().count(), 0);
    let whole = r#"{"process":0,"f":"read","value":1,"call":1,"return":2}"#;
    assert!(!check(whole, Format::JsonLines, &["0: read(1) [1, 2]"]).has_sent_reads);
}

#[test]
fn a_compare_and_set_may_expect_nothing() {
    let input = r#"{"Input":{"Op":"cas","From":null,"To":1},"Output":true,"Call":1,"Return":2}
{"Input":{"Op":"write","From":null,"Value":2},"Output":{},"Call":3,"Return":4}"#;
    check(
        input,
        Format::Porcupine,
        &["0: cas(nil, 1) → true [1, 2]", "0: write(2) [3, 4]"],
    );
}

#[test]
fn an_independent_key_is_no_part_of_what_was_read() {
    let input = |read: &str| {
        format!(
            "{{:process 0, :type :invoke, :f :write, :value [:x 1]}}
{{:process 0, :type :ok, :f :write, :value [:x 1]}}
{{:process 1, :type :invoke, :f :read, :value #jepsen.independent.Tuple[:x nil]}}
{{:process 1, :type :ok, :f :read, :value {read}}}"
        )
    };
    let write = "0: write(\":x\", 1) → [\":x\", 1] [1, 2]";
    let read = |read: &str, nil, said| {
        check_with(&input(read), nil, Format::Edn, &[write, said]);
    };
    read("[:x 1]", NilRead::Unknown, "1: read(\":x\") → 1 [3, 4]");
    // As where there are no keys: nobody wrote down what was read.
    read("[:x nil]", NilRead::Unknown, "1: read(\":x\") → ? [3, 4]");
    read("[:x nil]", NilRead::Absent, "1: read(\":x\") → nil [3, 4]");
    // A list that begins like its key is a list where the call names the key alone.
    let list = r#"{"process":0,"type":"invoke","f":"get","value":"a"}
{"process":0,"type":"ok","f":"get","value":["a","b"]}"#;
    check(
        list,
        Format::JsonLines,
        &["0: get(\"a\") → [\"a\", \"b\"] [1, 2]"],
    );
}

#[test]
fn a_key_of_its_own_makes_it_a_key_value_log() {
    let recorded = check(
        r#"{:process 0, :type :invoke, :f :get, :key "0", :value nil}
{:process 1, :type :invoke, :f :append, :key "0", :value "x 1 0 y"}
{:process 0, :type :ok, :f :get, :key "0", :value ""}
{:process 1, :type :ok, :f :append, :key "0", :value "x 1 0 y"}"#,
        Format::Kv,
        &[
            r#"0: get("0") → "" [1, 3]"#,
            r#"1: append("0", "x 1 0 y") → "x 1 0 y" [2, 4]"#,
        ],
    );
    assert_eq!(recorded.spec.as_deref(), Some("kv"));
    assert_eq!(recorded.initial, Some("".into()));
}

#[test]
fn an_etcd_log_is_read_among_other_lines() {
    let recorded = check(
        "INFO  jepsen.core - Worker 0 starting\n\
         INFO  jepsen.util - 0\t:invoke\t:read\tnil\n\
         INFO  jepsen.util - 1\t:invoke\t:cas\t[0 3]\n\
         INFO  jepsen.util - :nemesis\t:info\t:start\tnil\n\
         INFO  jepsen.util - 0\t:ok\t:read\tnil\n\
         INFO  jepsen.util - 1   :fail   :cas    [0 3]\n\
         INFO  jepsen.util - 0\t:invoke\t:write\t2\n\
         INFO  jepsen.util - 1\t:invoke\t:read\tnil\n\
         INFO  jepsen.util - 0\t:info\t:write\t:timed-out\n\
         INFO  jepsen.util - 1\t:fail\t:read\t:timed-out\n\
         INFO  jepsen.util - 2\t:invoke\t:cas\t[2 4]\n\
         INFO  jepsen.util - 2\t:ok\t:cas\t[2 4]\n",
        Format::Etcd,
        &[
            "0: read() → nil [1, 3]",
            "1: cas(0, 3) → false [2, 4]",
            "0: write(2) … never returned [5, ∞]",
            "2: cas(2, 4) → true [9, 10]",
        ],
    );
    assert_eq!(recorded.spec.as_deref(), Some("cas-register"));
    assert_eq!(recorded.lines, [2, 3, 7, 11]);
    assert_eq!((recorded.failed, recorded.ignored), (1, 2));
}

#[test]
fn logs_of_newer_jepsens_are_read_too() {
    check(
        "2021-03-01 12:30:00,123{GMT}\tINFO\t[jepsen worker 0] jepsen.util: 0\t:invoke\t:write\t3\n\
         INFO [2017-06-02 14:38:41,333] jepsen worker 0 - jepsen.util 1\t:invoke\t:read\tnil\n\
         2021-03-01 12:30:00,125{GMT}\tINFO\t[jepsen nemesis] jepsen.util: :nemesis\t:info\t:start\tnil\n\
         2021-03-01 12:30:00,126{GMT}\tINFO\t[jepsen worker 0] jepsen.util: 0\t:info\t:write\t3\t:timeout\n\
         2021-03-01 12:30:00,127{GMT}\tINFO\t[jepsen worker 1] jepsen.util: 1\t:ok\t:read\t3\n",
        Format::Etcd,
        &[
            "0: write(3) … never returned [1, ∞]",
            "1: read() → 3 [2, 4]",
        ],
    );
}

#[test]
fn what_is_for_another_tool_says_so() {
    let problem = |f: &str| {
        let events = format!("{{:process 0, :type :invoke, :f :{f}, :value nil}}\n");
        let error = read(events.as_bytes(), None, NilRead::Unknown).expect_err(f);
        format!("{error}; {}", error.help())
    };
    assert!(problem("txn").contains("Elle"), "{}", problem("txn"));
    assert!(
        problem("drain").contains("`dequeue` for each value"),
        "{}",
        problem("drain")
    );
}

#[test]
fn where_everything_failed_nothing_happened() {
    let recorded = check(
        "{:process 0 :type :invoke :f :read}\n{:process 0 :type :fail :f :read}\n",
        Format::Edn,
        &[],
    );
    assert_eq!(recorded.failed, 1);
}

/// Operations of porcupine: an array or one after the other, with what Go's tests put into them.
#[test]
fn porcupine_operations_are_read_with_the_usual_members() {
    let recorded = check(
        r#"[{"ClientId":2,"Input":{"Op":1,"Key":"k","Value":"v"},"Call":5,"Output":{"Value":""},"Return":9},
 {"ClientId":3,"Input":{"Op":0,"Key":"k","Value":""},"Call":6,"Output":{"Value":"v"},"Return":8},
 {"ClientId":4,"Input":{"Op":"Append","Key":"k","Value":"w"},"Call":7,"Output":null,"Return":9223372036854775807}]"#,
        Format::Porcupine,
        &[
            r#"2: put("k", "v") [5, 9]"#,
            r#"3: get("k") → "v" [6, 8]"#,
            r#"4: append("k", "w") … never returned [7, ∞]"#,
        ],
    );
    assert_eq!(recorded.spec.as_deref(), Some("kv"));
    assert_eq!(recorded.initial, Some("".into()));
    assert_eq!(recorded.lines, [1, 2, 3]);
    let recorded = check(
        r#"{"Input":["enqueue",[1,2]],"Call":1,"Return":2}
{"Input":"dequeue","Call":3,"Output":{"Result":[1,2]},"Return":4}
{"Input":{"Method":"cas","Old":1,"New":2},"Call":5,"Output":{"Ok":true},"Return":6}
{"Input":{"op":"size"},"Call":7,"Output":{"unknown":true},"Return":8}"#,
        Format::Porcupine,
        &[
            "0: enqueue(1, 2) [1, 2]",
            "0: dequeue() → [1, 2] [3, 4]",
            "0: cas(1, 2) → true [5, 6]",
            "0: size() → ? [7, 8]",
        ],
    );
    assert_eq!((recorded.spec, recorded.initial), (None, None));
}

/// Requests of etcd's robustness tests: what a map can say of them, and nothing else.
#[test]
fn requests_of_etcd_are_operations_on_keys() {
    let put = |key: &str, value: &str, lease: u32| {
        format!(
            r#"{{"Type":"put-operation","Put":{{"Key":"{key}","Value":{{"Value":"{value}"}},"LeaseID":{lease}}}}}"#
        )
    };
    let line = |client: u32, input: &str, call: u32, output: &str| {
        let ret = call + 1;
        format!(
            "{{\"ClientId\":{client},\"Input\":{input},\"Call\":{call},\"Output\":{output},\"Return\":{ret}}}\n"
        )
    };
    let txn = |conditions: &str, success: &str, failure: &str| {
        format!(
            r#"{{"Type":"txn","Txn":{{"Conditions":{conditions},"OperationsOnSuccess":[{success}],"OperationsOnFailure":[{failure}]}}}}"#
        )
    };
    let get = r#"{"Type":"range","Range":{"Start":"a","End":"","Revision":0}}"#;
    let look = r#"{"Type":"range-operation","Range":{"Start":"a","End":""}}"#;
    let found = r#"{"KVs":[{"Key":"a","Value":{"Value":"1"},"ModRevision":2}],"Count":1}"#;
    let delete = r#"{"Type":"delete-operation","Delete":{"Key":"b"}}"#;
    let both = format!("{},{delete}", put("a", "1", 7));
    let done = r#"{"Txn":{"Failure":false,"Results":[{"Deleted":0},{"Deleted":1}]}}"#;
    let input = [
        line(1, &txn("null", &both, ""), 10, done),
        line(1, get, 20, &format!(r#"{{"Range":{found}}}"#)),
        line(1, get, 30, r#"{"Range":{"KVs":[]}}"#),
        line(
            1,
            &get.replace(r#""End":"""#, r#""End":"b""#),
            40,
            r#"{"Range":{"KVs":[]}}"#,
        ),
        line(
            1,
            &get.replace(r#"Revision":0"#, r#"Revision":3"#),
            50,
            r#"{"Range":{"KVs":[]}}"#,
        ),
        line(
            1,
            &txn(r#"[{"Key":"a"}]"#, &put("a", "2", 0), look),
            60,
            &format!(r#"{{"Txn":{{"Failure":true,"Results":[{found}]}}}}"#),
        ),
        line(
            1,
            &txn(r#"[{"Key":"a"}]"#, &put("a", "3", 0), look),
            70,
            r#"{"Error":"timeout"}"#,
        ),
        line(
            1,
            &txn("null", &put("a", "4", 0), ""),
            80,
            r#"{"Persisted":true}"#,
        ),
        line(
            1,
            r#"{"Type":"leaseRevoke","LeaseRevoke":{"LeaseID":7}}"#,
            90,
            r#"{"LeaseRevoke":{}}"#,
        ),
        line(
            1,
            &txn("null", &put("a", "5", 0), ""),
            95,
            r#"{"ClientError":"no such lease"}"#,
        ),
    ]
    .concat();
    let recorded = check(
        &input,
        Format::Porcupine,
        &[
            r#"1: put("a", "1") [10, 11]"#,
            r#"2147483649: delete("b") → true [10, 11]"#,
            r#"1: get("a") → "1" [20, 21]"#,
            r#"1: get("a") → nil [30, 31]"#,
            r#"1: get("a") → "1" [60, 61]"#,
            r#"1: put("a", "3") … never returned [70, ∞]"#,
            r#"1: put("a", "4") → ? [80, 81]"#,
            r#"2147483650: delete("a") … never returned [90, ∞]"#,
        ],
    );
    assert_eq!(recorded.spec.as_deref(), Some("kv"));
    assert_eq!(recorded.ignored, 4);
}

#[test]
fn messages_of_maelstrom_are_paired_by_their_numbers() {
    let recorded = check(
        r#"{"src":"c2","dest":"n0","body":{"type":"write","key":0,"value":3,"msg_id":1}}
{"src":"n0","dest":"n1","body":{"type":"read","key":0,"msg_id":9}}
{"src":"c2","dest":"n0","body":{"type":"read","key":0,"msg_id":2}}
{"src":"n0","dest":"c2","body":{"type":"write_ok","in_reply_to":1}}
{"src":"n0","dest":"c2","body":{"type":"error","code":20,"in_reply_to":2}}
{"src":"c3","dest":"n0","body":{"type":"cas","key":0,"from":3,"to":4,"msg_id":1}}
{"src":"n0","dest":"c3","body":{"type":"error","code":22,"in_reply_to":1}}
{"src":"c3","dest":"n0","body":{"type":"write","key":0,"value":5,"msg_id":2}}
{"src":"n0","dest":"c3","body":{"type":"error","code":11,"in_reply_to":2}}
{"src":"c3","dest":"n0","body":{"type":"write","key":0,"value":6,"msg_id":3}}
{"src":"n0","dest":"c3","body":{"type":"error","code":13,"in_reply_to":3}}"#,
        Format::Maelstrom,
        &[
            "2: write(0, 3) … never returned [1, ∞]",
            "2: read(0) → nil [3, 4]",
            "3: cas(0, 3, 4) → false [5, 6]",
            "3: write(0, 6) … never returned [9, ∞]",
        ],
    );
    assert_eq!(recorded.spec.as_deref(), Some("kv"));
    assert_eq!((recorded.failed, recorded.ignored), (1, 2));
}

#[test]
fn a_trace_of_a_model_checker_has_its_history_in_the_last_state() {
    let input = r##"{"#meta":{"format":"ITF"},"vars":["history"],"states":[{"history":[]},
{"history":[{"process":"a","type":"call","f":"put","value":{"#tup":["k",{"#bigint":"-3"}]}},
{"process":{"#bigint":"5"},"type":"invoke","f":"get","value":"k"},
{"process":"a","type":"return","f":"put"},
{"process":{"#bigint":"5"},"type":"ok","f":"get","value":{"tag":"None","value":{}}},
{"process":"b","type":"invoke","f":"all","value":{"#set":[2,1]}},
{"process":"b","type":"ok","f":"all","value":{"#map":[["y",2],["x",1]]}}]}]}"##;
    check_with(
        input,
        NilRead::Absent,
        Format::Itf,
        &[
            r#"0: put("k", -3) [1, 3]"#,
            r#"5: get("k") → nil [2, 4]"#,
            r#"1: all(1, 2) → [["x", 1], ["y", 2]] [5, 6]"#,
        ],
    );
}
