//! Files → Document and Overlay: the only reader of input files.

mod check;
mod overlay;
mod overlay_schema;
mod places;
mod source;
mod value;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde_json::Value;

use crate::diagnostics::{Diagnostics, Location};
use crate::overlay::{Overlay, SpecFiles};

pub(crate) use overlay::pointer_of;
pub use overlay_schema::overlay_schema;
pub(crate) use places::escape;

use places::{Places, Selected};

/// An OpenAPI document as JSON, whatever it was written in.
#[derive(Clone, Debug)]
pub struct Document {
    /// Name in diagnostics.
    pub file: String,
    /// The whole document, in the order of the file.
    pub value: Value,
}

/// An overlay and where it came from.
#[derive(Clone, Debug)]
pub struct OverlayFile {
    /// Name in diagnostics.
    pub file: String,
    /// Its content.
    pub overlay: Overlay,
}

/// Everything that was read for one run.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The overlay; none when the run was started on an OpenAPI document alone.
    pub overlay: Option<OverlayFile>,
    /// The API's document.
    pub document: Document,
    /// Its translated copies, by locale.
    pub translations: IndexMap<String, Document>,
    /// Text of each file that was read, by the name that diagnostics use; [`Inputs::find`] looks places up in it.
    pub sources: IndexMap<String, String>,
    places: Places,
}

impl Inputs {
    /// Line and column of the node at `pointer`: the key of a mapping entry, the item of a list, or the nearest
    /// parent that the text has.
    #[must_use]
    pub fn find(&self, file: &str, pointer: &str) -> Option<(usize, usize)> {
        self.places.find(&self.sources, file, pointer)
    }

    /// Fills lines, columns and excerpts of every diagnostic, and sorts them by place.
    pub fn locate(&self, diagnostics: &mut Diagnostics) {
        locate(diagnostics, &self.sources);
    }
}

fn locate(diagnostics: &mut Diagnostics, sources: &IndexMap<String, String>) {
    let mut selected: BTreeMap<&str, Selected> = BTreeMap::new();
    for (file, text) in sources {
        let pointers: Vec<&str> = diagnostics
            .items()
            .iter()
            .filter_map(|item| item.location.as_ref())
            .filter(|location| location.line.is_none() && location.file == *file)
            .map(|location| location.pointer.as_str())
            .collect();
        if !pointers.is_empty() {
            selected.insert(file, Selected::find(text, pointers.into_iter()));
        }
    }
    diagnostics.locate(|file, pointer| selected.get(file)?.of(pointer));
    diagnostics.excerpt(sources);
}

/// What has been read so far.
#[derive(Default)]
struct Reader {
    sources: IndexMap<String, String>,
}

/// Reads an overlay and the documents that it names, or an OpenAPI document alone.
///
/// Problems of every file are reported; nothing comes back when one of them stops the run.
pub fn load(diagnostics: &mut Diagnostics, path: &Path) -> Option<Inputs> {
    let mut reader = Reader::default();
    let parts = reader.read_all(diagnostics, path);
    locate(diagnostics, &reader.sources);
    let (overlay, document, translations) = parts?;
    Some(Inputs {
        overlay,
        document,
        translations,
        sources: reader.sources,
        places: Places::default(),
    })
}

type Parts = (Option<OverlayFile>, Document, IndexMap<String, Document>);

impl Reader {
    fn read_all(&mut self, diagnostics: &mut Diagnostics, path: &Path) -> Option<Parts> {
        let file = name_of(path);
        let value = self.read(diagnostics, path, &Location::at(&file, ""))?;
        if value.get("overlay").is_some() {
            return self.read_overlay(diagnostics, path, &value);
        }
        let document = Document { file, value };
        is_openapi(diagnostics, &document).then(|| (None, document, IndexMap::new()))
    }

    fn read_overlay(
        &mut self,
        diagnostics: &mut Diagnostics,
        path: &Path,
        value: &Value,
    ) -> Option<Parts> {
        let file = name_of(path);
        let overlay = overlay::parse(diagnostics, &file, value);
        // Documents are read even when the overlay is faulty, so that one run shows the faults of all files.
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let (spec, key) = spec_path(diagnostics, &file, overlay.as_ref(), value);
        let document = spec
            .and_then(|spec| self.document(diagnostics, &folder, &spec, &Location::at(&file, key)));
        let mut translations = IndexMap::new();
        let mut is_complete = true;
        for (locale, spec) in value
            .get("spec_locales")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            let Some(spec) = spec.as_str() else { continue };
            let at = Location::at(&file, &format!("/spec_locales/{}", escape(locale)));
            match self.document(diagnostics, &folder, spec, &at) {
                Some(document) => {
                    translations.insert(locale.clone(), document);
                }
                None => is_complete = false,
            }
        }
        let overlay = overlay?;
        let document = document?;
        is_complete.then_some((Some(OverlayFile { file, overlay }), document, translations))
    }

    fn document(
        &mut self,
        diagnostics: &mut Diagnostics,
        folder: &Path,
        spec: &str,
        named_at: &Location,
    ) -> Option<Document> {
        let path = folder.join(spec);
        let value = self.read(diagnostics, &path, named_at)?;
        let document = Document {
            file: name_of(&path),
            value,
        };
        is_openapi(diagnostics, &document).then_some(document)
    }

    /// Reads one file and keeps its text, also of a file that does not parse, since its fault is shown in it.
    fn read(
        &mut self,
        diagnostics: &mut Diagnostics,
        path: &Path,
        named_at: &Location,
    ) -> Option<Value> {
        let file = name_of(path);
        let text = match source::read(path) {
            Ok(text) => text,
            Err(reason) => {
                diagnostics.error(
                    "unreadable-file",
                    named_at.clone(),
                    format!("cannot read `{file}`: {reason}"),
                    "",
                );
                return None;
            }
        };
        let parsed = source::parse(&text);
        self.sources.insert(file.clone(), text);
        match parsed {
            Ok(value) => Some(value),
            Err(fault) => {
                let at = Location::at_line(&file, fault.line, fault.column);
                diagnostics.error(fault.code, at, fault.message, fault.help);
                None
            }
        }
    }
}

/// The document that the overlay names, and the pointer where it is named.
fn spec_path(
    diagnostics: &mut Diagnostics,
    file: &str,
    overlay: Option<&Overlay>,
    value: &Value,
) -> (Option<String>, &'static str) {
    match overlay.map(|overlay| &overlay.spec) {
        Some(SpecFiles::One(path)) => (Some(path.clone()), "/spec"),
        Some(SpecFiles::Several(specs)) => {
            if specs.len() != 1 {
                diagnostics.error(
                    "several-specs",
                    Location::at(file, "/spec"),
                    format!(
                        "`spec` names {} documents; one server serves one",
                        specs.len()
                    ),
                    "name one document; several behind one server come in a later version",
                );
            }
            (specs.first().map(|spec| spec.path.clone()), "/spec/0/path")
        }
        None => (
            value.get("spec").and_then(Value::as_str).map(str::to_owned),
            "/spec",
        ),
    }
}

/// Whether the document is one that can be lowered; reports why not.
fn is_openapi(diagnostics: &mut Diagnostics, document: &Document) -> bool {
    let at = |pointer: &str| Location::at(&document.file, pointer);
    let Some(version) = document.value.get("openapi") else {
        let (pointer, message, help) = match document.value.get("swagger") {
            Some(version) => (
                "/swagger",
                format!("Swagger {} is not supported yet", plain(version)),
                "convert the document to OpenAPI 3.0 or 3.1",
            ),
            None => (
                "",
                "neither an OpenAPI document nor an overlay".to_owned(),
                "an OpenAPI document starts with `openapi: 3.1.0`, an overlay with `overlay: 1`",
            ),
        };
        diagnostics.error("not-openapi", at(pointer), message, help);
        return false;
    };
    let version = plain(version);
    if version == "3.2" || version.starts_with("3.2.") {
        diagnostics.warning(
            "openapi-version",
            at("/openapi"),
            format!("OpenAPI {version} is read as 3.1; what 3.2 adds is left out"),
            "",
        );
    } else if !["3.0", "3.1", "3"]
        .iter()
        .any(|known| version == *known || version.starts_with(&format!("{known}.")))
        || version.starts_with("3.") && !matches!(version.as_bytes().get(2), Some(b'0' | b'1'))
    {
        diagnostics.error(
            "openapi-version",
            at("/openapi"),
            format!("OpenAPI version `{version}` is not supported"),
            "write 3.0.x or 3.1.x",
        );
        return false;
    }
    true
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// The name of a file in diagnostics: as given, with `/`, never made absolute.
fn name_of(path: &Path) -> String {
    let shown: PathBuf = path.components().collect();
    shown.display().to_string().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(files: &[(&str, &str)]) -> (Option<Inputs>, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let mut diagnostics = Diagnostics::default();
        let inputs = load(&mut diagnostics, &folder.path().join(files[0].0));
        let base = format!("{}/", name_of(folder.path()));
        let lines = diagnostics
            .items()
            .iter()
            .map(|item| {
                let at = item.location.as_ref().unwrap();
                let file = at.file.replace(&base, "");
                let (line, column) = (at.line.unwrap_or(0), at.column.unwrap_or(0));
                format!("{} {file}:{line}:{column}", item.code)
            })
            .collect();
        (inputs, lines)
    }

    #[test]
    fn an_overlay_and_its_documents() {
        let (inputs, lines) = run(&[
            (
                "o.yaml",
                "overlay: 1\nspec: s.json\nspec_locales:\n  en: s.json\n",
            ),
            ("s.json", "{\"openapi\": \"3.0.3\"}"),
        ]);
        let inputs = inputs.unwrap();
        assert!(lines.is_empty(), "{lines:?}");
        assert!(inputs.overlay.is_some());
        assert_eq!(inputs.translations.len(), 1);
        assert_eq!(
            inputs.find(&inputs.document.file, "/openapi/x"),
            Some((1, 2))
        );
    }

    #[test]
    fn faults_of_all_files_in_one_run() {
        let (inputs, lines) = run(&[
            (
                "o.yaml",
                "overlay: 1\nspec: s.yaml\nspec_locales:\n  en: gone.yaml\nserver:\n  nam: x\n",
            ),
            ("s.yaml", "openapi: 3.1.0\na: [\n"),
        ]);
        assert!(inputs.is_none());
        assert_eq!(
            lines,
            [
                "unreadable-file o.yaml:4:3",
                "unknown-key o.yaml:6:3",
                "syntax s.yaml:3:1"
            ]
        );
    }

    #[test]
    fn what_is_no_openapi() {
        for (text, want) in [
            ("swagger: '2.0'\n", "not-openapi f:1:1"),
            ("openapi: 4.0.0\n", "openapi-version f:1:1"),
            ("<html>", "not-openapi f:1:1"),
            ("", "not-openapi f:1:1"),
            ("overlay: 1.0.0\nactions: []\n", "not-an-mcp-overlay f:1:1"),
        ] {
            let (inputs, lines) = run(&[("f", text)]);
            assert!(inputs.is_none());
            assert_eq!(lines, [want], "{text}");
        }
        let (inputs, lines) = run(&[("f", "openapi: 3.2.0\n")]);
        assert!(inputs.is_some());
        assert_eq!(lines, ["openapi-version f:1:1"]);
    }
}
