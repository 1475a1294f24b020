//! `$ref` → the node it names, within one document.

use serde_json::Value;

pub(super) use crate::load::escape;

use super::fault::Fault;

/// More references in a row are taken for a cycle.
const MAX_HOPS: usize = 64;

/// A node and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Target<'d> {
    pub(super) value: &'d Value,
    pub(super) pointer: String,
}

/// Follows `$ref` until a node has none.
pub(super) fn resolve<'d>(
    root: &'d Value,
    value: &'d Value,
    pointer: &str,
) -> Result<Target<'d>, Fault> {
    let mut target = Target {
        value,
        pointer: pointer.to_owned(),
    };
    for _ in 0..MAX_HOPS {
        let Some(reference) = target.value.get("$ref") else {
            return Ok(target);
        };
        target = follow(root, reference, &target.pointer, MAX_HOPS)?;
    }
    Err(cyclic(pointer))
}

/// The node that one `$ref` names; `at` is the node that holds it.
pub(super) fn follow<'d>(
    root: &'d Value,
    reference: &Value,
    at: &str,
    n_hops: usize,
) -> Result<Target<'d>, Fault> {
    let Some(reference) = reference.as_str() else {
        return Err(Fault::new(
            "reference-invalid",
            at,
            "`$ref` is not a text",
            "write `$ref: '#/components/…'`",
        ));
    };
    let Some(fragment) = reference.strip_prefix('#') else {
        return Err(Fault::new(
            "external-reference",
            at,
            format!("`{reference}` is in another file, which is not supported yet"),
            "bundle the document into one file first",
        ));
    };
    let missing = || {
        Fault::new(
            "reference-missing",
            at,
            format!("`{reference}` does not exist"),
            "correct the reference, or add what it names",
        )
    };
    if !fragment.is_empty() && !fragment.starts_with('/') {
        return Err(missing());
    }
    find(root, &decode(fragment), n_hops).ok_or_else(missing)
}

/// The node at a pointer; a `$ref` on the way is followed.
pub(super) fn find<'d>(root: &'d Value, pointer: &str, mut n_hops: usize) -> Option<Target<'d>> {
    let mut target = Target {
        value: root,
        pointer: String::new(),
    };
    for segment in pointer.split('/').skip(1) {
        let name = segment.replace("~1", "/").replace("~0", "~");
        let mut next = child(target.value, &name);
        while next.is_none() {
            let reference = target.value.get("$ref")?;
            n_hops = n_hops.checked_sub(1)?;
            target = follow(root, reference, "", n_hops).ok()?;
            next = child(target.value, &name);
        }
        target.value = next?;
        target.pointer.push('/');
        target.pointer.push_str(&escape(&name));
    }
    Some(target)
}

fn child<'d>(value: &'d Value, name: &str) -> Option<&'d Value> {
    match value {
        Value::Object(map) => map.get(name),
        Value::Array(items) => items.get(name.parse::<usize>().ok()?),
        _ => None,
    }
}

fn cyclic(pointer: &str) -> Fault {
    Fault::new(
        "reference-cycle",
        pointer,
        "this reference leads back to itself",
        "",
    )
}

/// Percent-decodes a fragment; what is not valid stays as it is.
fn decode(fragment: &str) -> String {
    if !fragment.contains('%') {
        return fragment.to_owned();
    }
    let bytes = fragment.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while let Some(byte) = bytes.get(i) {
        let code = fragment
            .get(i + 1..i + 3)
            .filter(|_| *byte == b'%')
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(code.unwrap_or(*byte));
        i += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).unwrap_or_else(|_| fragment.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn follows_chains_and_refuses_cycles() {
        let root = json!({
            "a": {"$ref": "#/b"}, "b": {"$ref": "#/c~1d/x%20y"}, "c/d": {"x y": {"z": [1]}},
            "l": {"$ref": "#/m"}, "m": {"$ref": "#/l"}, "in": {"$ref": "#/a/z"}, "e": {"$ref": "x.json#/a"},
            "n": {"$ref": 3}, "k": {"$ref": "#/absent"}, "loop": {"$ref": "#/loop/x"}
        });
        let resolved = |name: &str| {
            resolve(&root, &root[name], &format!("/{name}"))
                .map(|target| target.pointer)
                .map_err(|fault| fault.code)
        };
        for (name, want) in [
            ("a", Ok("/c~1d/x y")),
            ("in", Ok("/c~1d/x y/z")),
            ("l", Err("reference-cycle")),
            ("e", Err("external-reference")),
            ("n", Err("reference-invalid")),
            ("k", Err("reference-missing")),
            ("loop", Err("reference-missing")),
        ] {
            assert_eq!(resolved(name), want.map(str::to_owned), "{name}");
        }
    }
}
