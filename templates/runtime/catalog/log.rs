//! The fields of the line that each `tools/call` logs.

/// One field of the line that each `tools/call` logs.
#[derive(Clone, Copy, Debug)]
pub struct LogField {
    /// Key in the line.
    pub key: &'static str,
    /// What it holds.
    pub value: LogValue,
}

/// What a field of the call log holds. Arguments, bodies, tokens and full addresses are not on the list by design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogValue {
    /// The tool's name.
    Tool,
    /// The account or organization that the token speaks for; `null` where that is not known.
    Account,
    /// The user that the token speaks for; `null` where that is not known.
    User,
    /// The token's public identifier (`jti`), never the token; `null` where that is not known.
    TokenId,
    /// `oauth` or `personal`; `null` where that is not known.
    TokenKind,
    /// The membership of the token's owner; `null` where that is not known.
    Membership,
    /// `ok`, or the code of the error.
    Result,
    /// HTTP status of the API's answer; `null` when it was not called.
    Status,
    /// Milliseconds from the request's arrival to its answer.
    DurationMs,
}
