//! One tool: an operation of the API, its arguments and where they go.

use super::{Access, Confirm, Text};

/// One tool: an operation of the API that a model may call.
#[derive(Debug)]
pub struct Tool {
    /// Unique name, 1 to 64 characters of `[A-Za-z0-9_-]`.
    pub name: &'static str,
    /// Name for people; empty: not sent.
    pub title: Text,
    /// What the model reads.
    pub description: Text,
    /// What a call does to the API's records.
    pub kind: Kind,
    /// `annotations.idempotentHint`.
    pub idempotent: bool,
    /// `annotations.openWorldHint`.
    pub open_world: bool,
    /// JSON Schema 2020-12 of the arguments, one text per language as in [`Text`].
    pub input_schema: Text,
    /// JSON Schema of the result, for tools that give `structuredContent`.
    pub output_schema: Option<&'static str>,
    /// `METHOD /path` as the API's description writes it.
    pub operation: &'static str,
    /// HTTP method in upper case.
    pub method: &'static str,
    /// Path below the base address.
    pub path: &'static [Segment],
    /// Base address of this operation alone, where it differs.
    pub base_url: Option<&'static str>,
    /// How the request body is made.
    pub body: Body,
    /// The arguments, in schema order.
    pub arguments: &'static [Argument],
    /// Parameters with a value that the model does not see.
    pub fixed: &'static [Fixed],
    /// Sentence added to the message of a failure, by condition.
    pub hints: &'static [Hint],
    /// What a caller must have.
    pub access: Access,
    /// The question of a destructive tool; without one it is always refused.
    pub confirm: Option<Confirm>,
}

/// What a call does to the API's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing changes.
    Read,
    /// A record is made or changed.
    Write,
    /// It cannot be undone: a person must confirm it.
    Destructive,
}

/// A piece of a path.
#[derive(Clone, Copy, Debug)]
pub enum Segment {
    /// Text as it stands, already percent-encoded.
    Literal(&'static str),
    /// The value of the path parameter with this wire name.
    Parameter(&'static str),
}

/// How the request body is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// There is none.
    None,
    /// A JSON object of every argument with [`Place::BodyField`].
    Fields {
        /// Whether `{}` is sent when no argument is given.
        required: bool,
    },
    /// The value of the one argument with [`Place::Body`].
    Whole,
}

/// One argument of a tool and where it goes.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// Key in the tool's arguments.
    pub name: &'static str,
    /// Name that the API knows.
    pub wire: &'static str,
    /// Where it goes.
    pub place: Place,
    /// How it is written there; of no effect in a body.
    pub style: Style,
    /// One pair per element (`a=1&a=2`) instead of one joined value; of no effect in a body.
    pub explode: bool,
    /// Whether reserved characters stay unencoded (`allowReserved`); query only.
    pub allow_reserved: bool,
    /// Whether only an object or array is accepted, so that a string holding JSON is parsed first.
    pub structured: bool,
}

/// Where an argument goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Into the path.
    Path,
    /// Into the query.
    Query,
    /// Into a header.
    Header,
    /// Into `Cookie`.
    Cookie,
    /// A field of the JSON body.
    BodyField,
    /// The body itself.
    Body,
}

/// Serialization of a parameter (OpenAPI 3.1, "Style Values").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `a,b`.
    Simple,
    /// `.a.b`.
    Label,
    /// `;k=a,b`.
    Matrix,
    /// `k=a,b` or `k=a&k=b`.
    Form,
    /// `k=a%20b`.
    SpaceDelimited,
    /// `k=a|b`.
    PipeDelimited,
    /// `k[x]=1`.
    DeepObject,
    /// The JSON text of the value (`content: application/json`).
    Json,
}

/// A parameter with a value that the model does not see.
#[derive(Clone, Copy, Debug)]
pub struct Fixed {
    /// Where it goes: path, query, header, cookie or a field of the body.
    pub place: Place,
    /// Name that the API knows.
    pub wire: &'static str,
    /// JSON text of the value.
    pub value: &'static str,
}

/// A sentence added to the message of one kind of failure.
#[derive(Clone, Copy, Debug)]
pub struct Hint {
    /// The code whose message it joins.
    pub code: &'static str,
    /// The sentence.
    pub text: Text,
}
