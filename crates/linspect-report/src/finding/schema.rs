//! The published schema is the one of these types.

use super::Finding;

#[test]
fn the_published_schema_is_up_to_date() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/finding.schema.json"
    );
    let mut schema = schemars::schema_for!(Finding);
    schema.insert("$id".into(), "linspect-finding-2.schema.json".into());
    schema.insert("title".into(), "Linspect finding, version 2".into());
    let mut text = serde_json::to_string_pretty(&schema).expect("a schema is JSON");
    text.push('\n');
    if std::env::var_os("LINSPECT_BLESS").is_some() {
        std::fs::write(path, &text).expect("the repository is writable when blessing");
    }
    let published = std::fs::read_to_string(path).expect("docs/finding.schema.json");
    assert!(
        published == text,
        "run the tests with LINSPECT_BLESS=1 and read the difference"
    );
}
