//! `security` → the scopes that an operation names.

use serde::Deserialize;

use super::Lowering;
use super::reference::escape;

impl Lowering<'_, '_> {
    /// Scopes of all alternatives together; a name that is not defined is reported once per document.
    pub(super) fn scopes(
        &mut self,
        own: Option<&Vec<openapiv3::SecurityRequirement>>,
        pointer: &str,
    ) -> Vec<String> {
        let root = self.root;
        let schemes = root.pointer("/components/securitySchemes");
        let shared: Vec<openapiv3::SecurityRequirement> = match own {
            Some(_) => Vec::new(),
            None => root
                .get("security")
                .and_then(|security| Deserialize::deserialize(security).ok())
                .unwrap_or_default(),
        };
        let mut scopes: Vec<String> = Vec::new();
        for (i, requirement) in own.unwrap_or(&shared).iter().enumerate() {
            for (name, named) in requirement {
                let is_defined = schemes.is_some_and(|schemes| schemes.get(name).is_some());
                if !is_defined && !self.undefined_security.contains(name) {
                    self.undefined_security.push(name.clone());
                    let base = if own.is_some() { pointer } else { "" };
                    self.warn(
                        "security-undefined",
                        &format!("{base}/security/{i}/{}", escape(name)),
                        format!("security scheme `{name}` is not defined; its name is ignored"),
                        "define it under `components.securitySchemes`",
                    );
                }
                for scope in named {
                    if !scopes.contains(scope) {
                        scopes.push(scope.clone());
                    }
                }
            }
        }
        scopes
    }
}
