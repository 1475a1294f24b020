//! What a caller must have for a tool, a prompt or a resource.

/// What a caller must have.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// Scopes: every need must be met.
    pub scopes: &'static [ScopeNeed],
    /// Dashboard permission.
    pub permission: Option<&'static str>,
    /// Product of the account.
    pub product: Option<&'static str>,
}

impl Access {
    /// Nothing is needed.
    pub const OPEN: Self = Self {
        scopes: &[],
        permission: None,
        product: None,
    };
}

/// One need of scope: any one of these meets it. The first is the least one, which a challenge names.
#[derive(Clone, Copy, Debug)]
pub struct ScopeNeed(pub &'static [&'static str]);

/// One check of what a caller may do, in the order of [`super::Auth::checks`].
#[derive(Clone, Copy, Debug)]
pub struct AccessCheck {
    /// What is looked at.
    pub kind: CheckKind,
    /// Code of the tool error when it fails, such as `insufficient_scope`.
    pub code: &'static str,
}

/// What one check looks at.
#[derive(Clone, Copy, Debug)]
pub enum CheckKind {
    /// Fails where this holds of the caller, such as an inactive membership.
    Refused(Condition),
    /// The account has [`Access::product`].
    Product,
    /// The token has [`Access::scopes`], and its kind may write where the tool does.
    Scope,
    /// The user has [`Access::permission`].
    Permission,
}

/// A statement about the claims of a caller.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    /// JSON pointer (RFC 6901) into the claims.
    pub at: &'static str,
    /// What must be there.
    pub is: Is,
}

/// What must be at a place of the claims.
#[derive(Clone, Copy, Debug)]
pub enum Is {
    /// Anything but null.
    Present,
    /// Nothing, or null.
    Absent,
    /// One of these values; each is JSON text.
    OneOf(&'static [&'static str]),
}
