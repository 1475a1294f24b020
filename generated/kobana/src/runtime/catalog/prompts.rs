//! Prompts and resources.

use super::{ScopeNeed, Text};

/// A prompt: messages that a person picks.
#[derive(Debug)]
pub struct Prompt {
    /// Unique name.
    pub name: &'static str,
    /// Name for people; empty: not sent.
    pub title: Text,
    /// What it is for; empty: not sent.
    pub description: Text,
    /// Arguments, all strings.
    pub arguments: &'static [PromptArgument],
    /// The messages, in order.
    pub messages: &'static [PromptMessage],
    /// Scopes of a caller that may use it.
    pub scopes: &'static [ScopeNeed],
}

/// One argument of a prompt.
#[derive(Debug)]
pub struct PromptArgument {
    /// Key in the request.
    pub name: &'static str,
    /// What to fill in; empty: not sent.
    pub description: Text,
    /// Whether the prompt cannot be made without it.
    pub required: bool,
}

/// One message of a prompt.
#[derive(Debug)]
pub struct PromptMessage {
    /// `user` or `assistant`.
    pub role: &'static str,
    /// The text; `{name}` stands for an argument, `{{` and `}}` for braces.
    pub text: Text,
}

/// A resource whose text is part of the binary.
#[derive(Debug)]
pub struct Resource {
    /// Address, such as `docs://errors/en`.
    pub uri: &'static str,
    /// Programmatic name.
    pub name: &'static str,
    /// Name for people; empty: not sent.
    pub title: Text,
    /// What it holds; empty: not sent.
    pub description: Text,
    /// Media type, such as `text/markdown`.
    pub mime_type: &'static str,
    /// The content.
    pub text: &'static str,
    /// Scopes of a caller that may read it.
    pub scopes: &'static [ScopeNeed],
}
