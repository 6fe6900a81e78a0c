//! Names of memory as a person reads them.
//!
//! A finding calls every place by a name of its own: `object.map+24`, `memory#2`. Reports for people say of a place without
//! a name of its own only what is known: what it is a part of, or nothing.

/// A variable; nothing if it has no name that means anything.
pub(crate) fn variable(name: &str) -> Option<String> {
    let (whole, inside) = without_offset(name);
    match (is_unnamed(whole), inside) {
        (true, _) => None,
        (false, true) => Some(format!("part of {whole}")),
        (false, false) => Some(name.to_owned()),
    }
}

/// What a place without a name of its own is a part of.
pub(crate) fn part_of(name: &str) -> Option<&str> {
    let (whole, inside) = without_offset(name);
    inside.then_some(whole)
}

/// A value: pointers to what has no name are just that.
pub(crate) fn value(value: &str) -> String {
    let target = value.strip_prefix('&').unwrap_or(value);
    let (whole, inside) = without_offset(target);
    match (is_unnamed(whole), inside) {
        (true, _) => "a pointer".into(),
        (false, true) => format!("a pointer into {whole}"),
        (false, false) => value.to_owned(),
    }
}

/// The names in a phrase such as `for a.lock or memory#1+8`.
pub(crate) fn phrase(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        let name = word.trim_end_matches([',', ';', ':', '.']);
        let read = match variable(name) {
            Some(read) => read,
            None => "memory without a name".into(),
        };
        format!("{read}{}", &word[name.len()..])
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The block of the heap that begins with `name`: `node#2` of `node#2.next`, `queue` of `queue.head`, and `queue.items` of
/// `queue.items[0]`, which is an array of its own.
pub(crate) fn whole(name: &str) -> &str {
    let (block, _) = name.split_once(['.', '[']).unwrap_or((name, ""));
    match name.strip_suffix("[0]") {
        Some(array) if !block.contains('#') => array,
        _ => block,
    }
}

fn is_unnamed(name: &str) -> bool {
    let number = name.strip_prefix("memory#");
    number.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// `object.map+24` is inside `object.map`.
fn without_offset(name: &str) -> (&str, bool) {
    match name.rsplit_once('+') {
        Some((whole, offset))
            if whole.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && !offset.is_empty()
                && offset.bytes().all(|b| b.is_ascii_digit()) =>
        {
            (whole, true)
        }
        _ => (name, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_the_source_has() {
        for (found, read) in [
            ("head", Some("head")),
            ("node#2.next", Some("node#2.next")),
            ("object.map+24", Some("part of object.map")),
            ("memory#1+104", None),
            ("memory#1", None),
            ("memory_pool", Some("memory_pool")),
        ] {
            assert_eq!(variable(found).as_deref(), read);
        }
        for (found, read) in [
            ("node#2", "node#2"),
            ("&node#1.next", "&node#1.next"),
            ("&node#1.next+4", "a pointer into node#1.next"),
            ("&memory#3+8", "a pointer"),
            ("memory#3", "a pointer"),
            ("-1", "-1"),
            ("1+2", "1+2"),
        ] {
            assert_eq!(value(found), read);
        }
        for (first, freed) in [
            ("node#2.next", "node#2"),
            ("node#2", "node#2"),
            ("queue.head", "queue"),
            ("segment#1.cells[0]", "segment#1"),
            ("queue.items[0]", "queue.items"),
        ] {
            assert_eq!(whole(first), freed);
        }
        assert_eq!(
            phrase("for a.lock or memory#1+8, which T2 holds"),
            "for a.lock or memory without a name, which T2 holds"
        );
    }
}
