//! What a run leaves in the output folder: all of it or nothing, and never a foreign file touched.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use oas2mcp::emit::{File, FileSet};
use oas2mcp::write::{Drift, check, write};

fn files(list: &[(&str, &str)]) -> FileSet {
    let mut set = FileSet::default();
    for (path, contents) in list {
        let file = File {
            contents: (*contents).to_owned(),
            is_written_once: *path == "src/hooks.rs",
        };
        set.files.insert((*path).to_owned(), file);
    }
    set
}

/// Every file and folder below a folder, with contents.
fn tree(root: &Path) -> BTreeMap<String, Option<String>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("readable") {
            let path = entry.expect("entry").path();
            let name = path
                .strip_prefix(root)
                .expect("below")
                .display()
                .to_string();
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
                found.insert(name, None);
            } else {
                found.insert(name, fs::read_to_string(&path).ok());
            }
        }
    }
    found
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn a_first_run_writes_everything_and_a_check_then_agrees() {
    let root = tempfile::tempdir().expect("temp");
    let out = root.path().join("new/server");
    let set = files(&[
        ("Cargo.toml", "a"),
        ("src/main.rs", "b"),
        ("src/hooks.rs", "c"),
    ]);
    let missing = strings(&[".oas2mcp", "Cargo.toml", "src/hooks.rs", "src/main.rs"]);
    let expected = Drift {
        missing,
        ..Drift::default()
    };
    assert_eq!(check(&out, &set).expect("check"), expected);
    assert!(!root.path().join("new").exists(), "a check writes nothing");
    assert_eq!(write(&out, &set).expect("write"), expected);
    assert_eq!(check(&out, &set).expect("check"), Drift::default());
    let names: Vec<_> = tree(&out).into_keys().collect();
    assert_eq!(
        names,
        strings(&[
            ".oas2mcp",
            "Cargo.toml",
            "src",
            "src/hooks.rs",
            "src/main.rs"
        ])
    );
}

#[test]
fn unchanged_files_keep_their_time_and_changed_ones_are_replaced() {
    let out = tempfile::tempdir().expect("temp");
    write(out.path(), &files(&[("a", "1"), ("b", "1")])).expect("write");
    let old = SystemTime::now() - Duration::from_secs(5000);
    for name in ["a", "b"] {
        let file = fs::File::options().write(true).open(out.path().join(name));
        file.expect("open").set_modified(old).expect("time");
    }
    let drift = write(out.path(), &files(&[("a", "1"), ("b", "2")])).expect("write");
    assert_eq!(drift.stale, strings(&["b"]));
    let time = |name: &str| {
        let metadata = fs::metadata(out.path().join(name)).expect("there");
        metadata.modified().expect("time")
    };
    assert_eq!(time("a"), old);
    assert_ne!(time("b"), old);
}

#[test]
fn only_files_of_the_previous_run_are_removed() {
    let out = tempfile::tempdir().expect("temp");
    write(
        out.path(),
        &files(&[("keep", "1"), ("gone/deep/x", "1"), ("gone/y", "1")]),
    )
    .expect("write");
    fs::write(out.path().join("gone/mine"), "mine").expect("foreign");
    let drift = write(out.path(), &files(&[("keep", "1")])).expect("write");
    assert_eq!(drift.extra, strings(&["gone/deep/x", "gone/y"]));
    let names: Vec<_> = tree(out.path()).into_keys().collect();
    assert_eq!(names, strings(&[".oas2mcp", "gone", "gone/mine", "keep"]));
}

#[test]
fn a_foreign_file_in_the_way_stops_the_run_before_anything_is_written() {
    let out = tempfile::tempdir().expect("temp");
    fs::write(out.path().join("README.md"), "mine").expect("foreign");
    let before = tree(out.path());
    let error = write(
        out.path(),
        &files(&[("Cargo.toml", "a"), ("README.md", "theirs")]),
    )
    .expect_err("in the way");
    assert!(error.to_string().contains("README.md"), "{error}");
    assert_eq!(tree(out.path()), before);
}

#[test]
fn a_foreign_file_with_the_very_text_is_adopted() {
    let out = tempfile::tempdir().expect("temp");
    fs::write(out.path().join("a"), "1").expect("foreign");
    write(out.path(), &files(&[("a", "1")])).expect("same text");
    let drift = write(out.path(), &files(&[("a", "2")])).expect("ours by now");
    assert_eq!(drift.stale, strings(&["a"]));
}

#[test]
fn a_file_written_once_stays_its_owners() {
    let out = tempfile::tempdir().expect("temp");
    write(out.path(), &files(&[("src/hooks.rs", "1")])).expect("write");
    fs::write(out.path().join("src/hooks.rs"), "edited").expect("edit");
    let set = files(&[("src/hooks.rs", "2")]);
    assert_eq!(check(out.path(), &set).expect("check"), Drift::default());
    write(out.path(), &set).expect("write");
    write(out.path(), &files(&[("a", "1")])).expect("not made any more");
    let text = fs::read_to_string(out.path().join("src/hooks.rs")).expect("still there");
    assert_eq!(text, "edited");
}

#[test]
fn a_failure_half_way_leaves_the_folder_as_it_was() {
    let out = tempfile::tempdir().expect("temp");
    write(out.path(), &files(&[("a", "1"), ("b", "1"), ("z", "1")])).expect("write");
    let before = tree(out.path());
    // `n` and `n/x` cannot both exist: the second is found out only while files are put into place.
    let set = files(&[
        ("a", "2"),
        ("c/new", "1"),
        ("n", "file"),
        ("n/x", "below a file"),
    ]);
    write(out.path(), &set).expect_err("impossible");
    assert_eq!(tree(out.path()), before);
}

#[test]
fn an_output_that_is_a_file_is_named() {
    let root = tempfile::tempdir().expect("temp");
    let out = root.path().join("file");
    fs::write(&out, "text").expect("file");
    let error = write(&out, &files(&[("a", "1")])).expect_err("a file");
    assert!(error.to_string().contains("must be a folder"), "{error}");
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere_outside() {
    let root = tempfile::tempdir().expect("temp");
    let (out, elsewhere) = (root.path().join("out"), root.path().join("elsewhere"));
    fs::create_dir_all(&out).expect("folder");
    fs::create_dir_all(&elsewhere).expect("folder");
    std::os::unix::fs::symlink(&elsewhere, out.join("src")).expect("link");
    write(&out, &files(&[("src/main.rs", "1")])).expect_err("a folder that is a link");
    fs::write(elsewhere.join("target"), "mine").expect("file");
    std::os::unix::fs::symlink(elsewhere.join("target"), out.join("a")).expect("link");
    write(&out, &files(&[("a", "1")])).expect_err("a file that is a link");
    let names: Vec<_> = tree(&elsewhere).into_keys().collect();
    assert_eq!(names, strings(&["target"]));
}

#[test]
fn paths_outside_are_refused_in_files_and_in_the_list() {
    let root = tempfile::tempdir().expect("temp");
    let out = root.path().join("out");
    write(&out, &files(&[("../x", "1")])).expect_err("outside");
    fs::create_dir_all(&out).expect("folder");
    fs::write(root.path().join("precious"), "mine").expect("file");
    fs::write(out.join(".oas2mcp"), "../precious\n").expect("list");
    write(&out, &files(&[("a", "1")])).expect_err("hostile list");
    assert!(root.path().join("precious").exists());
}
