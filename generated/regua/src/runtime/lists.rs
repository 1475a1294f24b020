//! Prepares the pages of `tools/list`, `prompts/list` and the resource lists: catalog → bytes, once.

use std::borrow::Cow;
use std::sync::OnceLock;

use serde_json::value::RawValue;

use crate::runtime::answer::{ProtocolError, push_json_string};
use crate::runtime::catalog::{Catalog, Kind, Prompt, Resource, Text, Tool};
use crate::runtime::message::{as_string, invalid_params};

/// Which list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// `tools/list`.
    Tools,
    /// `prompts/list`.
    Prompts,
    /// `resources/list`.
    Resources,
    /// `resources/templates/list`, which is always empty.
    Templates,
}

/// What the protocol versions want to see of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// 2026-07-28.
    Modern,
    /// 2025-06-18 and 2025-11-25.
    Legacy,
    /// 2025-03-26: without `title` and `outputSchema`.
    Oldest,
}

const LISTS: [List; 4] = [List::Tools, List::Prompts, List::Resources, List::Templates];
const N_FORMS: usize = 3;

/// Bytes that are built when they are first asked for.
type Prepared = Box<[OnceLock<Box<[u8]>>]>;

/// The pages of every list, each built when it is first asked for.
pub struct Lists {
    catalog: &'static Catalog,
    /// By list, page, form and language.
    pages: [Prepared; LISTS.len()],
}

/// One page of a list in one form and language.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    list: List,
    number: usize,
    form: Form,
    locale: usize,
}

impl Lists {
    /// Takes the catalog; nothing is built yet.
    #[must_use]
    pub fn new(catalog: &'static Catalog) -> Self {
        let variants = N_FORMS * catalog.locales.len().max(1);
        let pages = LISTS.map(|list| {
            let n_slots = variants * n_pages(catalog, list);
            (0..n_slots).map(|_| OnceLock::new()).collect()
        });
        Self { catalog, pages }
    }

    /// The page that a cursor asks for: none and the empty one mean the first. This server never gives out an empty
    /// cursor, but clients that always write the member send one.
    ///
    /// # Errors
    /// -32602 for a cursor that this list did not give out.
    pub fn page(
        &self,
        list: List,
        cursor: Option<&RawValue>,
        form: Form,
        locale: usize,
    ) -> Result<Page, ProtocolError> {
        let number = match cursor.map(as_string) {
            None => 0,
            Some(Some(text)) if text.is_empty() => 0,
            Some(text) => text
                .and_then(|text| self.read_cursor(list, &text))
                .ok_or_else(|| invalid_params("Invalid cursor"))?,
        };
        Ok(Page {
            list,
            number,
            form,
            locale,
        })
    }

    /// The members of the result: the entries and, where more follow, `nextCursor`.
    #[must_use]
    pub fn members(&self, page: Page) -> Cow<'_, [u8]> {
        let n_locales = self.catalog.locales.len().max(1);
        let slot = (page.number * N_FORMS + page.form as usize) * n_locales + page.locale;
        match self.pages[page.list as usize].get(slot) {
            Some(bytes) => Cow::Borrowed(bytes.get_or_init(|| self.build(page).into())),
            // A language that the catalog does not have: no caller asks for one.
            None => Cow::Owned(self.build(page)),
        }
    }

    fn read_cursor(&self, list: List, text: &str) -> Option<usize> {
        let number: usize = text.get(1..)?.parse().ok()?;
        let is_ours =
            (1..n_pages(self.catalog, list)).contains(&number) && cursor(list, number) == text;
        is_ours.then_some(number)
    }

    fn build(&self, page: Page) -> Vec<u8> {
        let catalog = self.catalog;
        let size = page_size(catalog);
        let start = page.number * size;
        let mut out = Vec::new();
        match page.list {
            List::Tools => {
                push_array(
                    &mut out,
                    "tools",
                    window(catalog.tools, start, size),
                    |out, tool| {
                        push_tool(out, tool, page);
                    },
                );
            }
            List::Prompts => {
                let prompts = window(catalog.prompts, start, size);
                push_array(&mut out, "prompts", prompts, |out, prompt| {
                    push_prompt(out, prompt, page);
                });
            }
            List::Resources => {
                let resources = window(catalog.resources, start, size);
                push_array(&mut out, "resources", resources, |out, resource| {
                    push_resource(out, resource, page);
                });
            }
            List::Templates => push_array(&mut out, "resourceTemplates", &[], |_, ()| {}),
        }
        if page.number + 1 < n_pages(catalog, page.list) {
            out.extend_from_slice(br#","nextCursor":"#);
            push_json_string(&mut out, &cursor(page.list, page.number + 1));
        }
        out
    }
}

fn n_pages(catalog: &Catalog, list: List) -> usize {
    let n_entries = match list {
        List::Tools => catalog.tools.len(),
        List::Prompts => catalog.prompts.len(),
        List::Resources => catalog.resources.len(),
        List::Templates => 0,
    };
    n_entries.div_ceil(page_size(catalog)).max(1)
}

fn page_size(catalog: &Catalog) -> usize {
    catalog.protocol.page_size.max(1)
}

/// A cursor holds nothing but the page, and the list, so that one list's cursor is not taken for another's.
fn cursor(list: List, number: usize) -> String {
    let letter = match list {
        List::Tools => 't',
        List::Prompts => 'p',
        List::Resources => 'r',
        List::Templates => 'm',
    };
    format!("{letter}{number}")
}

fn window<T>(entries: &[T], start: usize, size: usize) -> &[T] {
    let start = start.min(entries.len());
    let end = start.saturating_add(size).min(entries.len());
    &entries[start..end]
}

fn push_array<T>(out: &mut Vec<u8>, key: &str, entries: &[T], push: impl Fn(&mut Vec<u8>, &T)) {
    push_json_string(out, key);
    out.extend_from_slice(b":[");
    for (index, entry) in entries.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        push(out, entry);
    }
    out.push(b']');
}

fn push_tool(out: &mut Vec<u8>, tool: &Tool, page: Page) {
    out.extend_from_slice(br#"{"name":"#);
    push_json_string(out, tool.name);
    push_title(out, tool.title, page);
    push_text(out, "description", tool.description, page);
    out.extend_from_slice(br#","inputSchema":"#);
    out.extend_from_slice(tool.input_schema.in_locale(page.locale).as_bytes());
    if let Some(schema) = tool.output_schema.filter(|_| page.form != Form::Oldest) {
        out.extend_from_slice(br#","outputSchema":"#);
        out.extend_from_slice(schema.as_bytes());
    }
    out.extend_from_slice(br#","annotations":{"#);
    if !tool.title.is_empty() {
        out.extend_from_slice(br#""title":"#);
        push_json_string(out, tool.title.in_locale(page.locale));
        out.push(b',');
    }
    let hints = format!(
        r#""readOnlyHint":{},"destructiveHint":{},"idempotentHint":{},"openWorldHint":{}}}}}"#,
        tool.kind == Kind::Read,
        tool.kind == Kind::Destructive,
        tool.idempotent,
        tool.open_world
    );
    out.extend_from_slice(hints.as_bytes());
}

fn push_prompt(out: &mut Vec<u8>, prompt: &Prompt, page: Page) {
    out.extend_from_slice(br#"{"name":"#);
    push_json_string(out, prompt.name);
    push_title(out, prompt.title, page);
    push_text(out, "description", prompt.description, page);
    if !prompt.arguments.is_empty() {
        out.push(b',');
        push_array(out, "arguments", prompt.arguments, |out, argument| {
            out.extend_from_slice(br#"{"name":"#);
            push_json_string(out, argument.name);
            push_text(out, "description", argument.description, page);
            out.extend_from_slice(format!(r#","required":{}}}"#, argument.required).as_bytes());
        });
    }
    out.push(b'}');
}

fn push_resource(out: &mut Vec<u8>, resource: &Resource, page: Page) {
    out.extend_from_slice(br#"{"uri":"#);
    push_json_string(out, resource.uri);
    out.extend_from_slice(br#","name":"#);
    push_json_string(out, resource.name);
    push_title(out, resource.title, page);
    push_text(out, "description", resource.description, page);
    out.extend_from_slice(br#","mimeType":"#);
    push_json_string(out, resource.mime_type);
    out.push(b'}');
}

/// `title` came with 2025-06-18.
fn push_title(out: &mut Vec<u8>, title: Text, page: Page) {
    if page.form != Form::Oldest {
        push_text(out, "title", title, page);
    }
}

fn push_text(out: &mut Vec<u8>, key: &str, text: Text, page: Page) {
    if text.is_empty() {
        return;
    }
    out.push(b',');
    push_json_string(out, key);
    out.push(b':');
    push_json_string(out, text.in_locale(page.locale));
}
