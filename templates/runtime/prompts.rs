//! `prompts/get`: a prompt with its arguments filled in.
