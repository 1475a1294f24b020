//! The prepared pages of `tools/list`, `prompts/list` and `resources/list`.
