//! Enumerations with data that are copied as a whole: of the part that another variant has, nobody asks.
use std::sync::Mutex;
use std::thread;

#[derive(Clone, Copy)]
enum Found<'a> {
    Hit { before: &'a u32, node: &'a u32, next: *const u32 },
    Miss { tail: &'a u32 },
    Frozen,
}

struct Table<'a>(&'a [u32]);

fn find<'a>(table: &'a [u32], key: u32) -> (Table<'a>, Found<'a>) {
    if key == 0 {
        return (Table(table), Found::Frozen);
    }
    for pair in table.windows(2) {
        if pair[1] == key {
            return (Table(table), Found::Hit { before: &pair[0], node: &pair[1], next: &pair[0] });
        }
    }
    (Table(table), Found::Miss { tail: &table[table.len() - 1] })
}

fn told(table: &[u32], key: u32) -> String {
    let (whole, found) = find(table, key);
    match found {
        Found::Frozen => format!("frozen {}", whole.0.len()),
        Found::Miss { tail } => format!("miss {tail}"),
        // SAFETY: it points into the table.
        Found::Hit { before, node, next } => format!("hit {before} {node} {}", unsafe { *next }),
    }
}

fn main() {
    let said = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for key in [0, 3, 9] {
            let said = &said;
            scope.spawn(move || {
                let words = told(&[1, 3, 5], key);
                said.lock().unwrap().push(words);
            });
        }
    });
    let mut said = said.into_inner().unwrap();
    said.sort();
    println!("{said:?}");
}
