//! Serves the texts that are part of the binary: an address → the result of `resources/read`.

use std::sync::OnceLock;

use serde_json::json;

use crate::runtime::answer::{Era, ProtocolError, code, push_json_string};
use crate::runtime::catalog::Resource;

/// The resources, each with the JSON of its content once somebody has read it.
pub struct Resources {
    resources: &'static [Resource],
    contents: Box<[OnceLock<Box<[u8]>>]>,
}

impl Resources {
    /// Takes the catalog's resources; nothing is prepared yet.
    #[must_use]
    pub fn new(resources: &'static [Resource]) -> Self {
        Self {
            resources,
            contents: resources.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// The member `contents` of the result of `resources/read`.
    ///
    /// # Errors
    /// -32602 in the modern era and -32002 in the legacy one where no resource has this address.
    pub fn read(&self, uri: &str, era: Era) -> Result<&[u8], ProtocolError> {
        let found = self
            .resources
            .iter()
            .zip(&self.contents)
            .find(|(resource, _)| resource.uri == uri);
        match found {
            Some((resource, content)) => Ok(content.get_or_init(|| prepare(resource))),
            None => Err(not_found(uri, era)),
        }
    }
}

fn not_found(uri: &str, era: Era) -> ProtocolError {
    let code = match era {
        Era::Modern => code::INVALID_PARAMS,
        Era::Legacy => code::RESOURCE_NOT_FOUND,
    };
    ProtocolError::new(code, "Resource not found").with_data(json!({ "uri": uri }))
}

fn prepare(resource: &Resource) -> Box<[u8]> {
    let mut out = Vec::with_capacity(resource.text.len() + resource.text.len() / 8 + 128);
    out.extend_from_slice(br#""contents":[{"uri":"#);
    push_json_string(&mut out, resource.uri);
    out.extend_from_slice(br#","mimeType":"#);
    push_json_string(&mut out, resource.mime_type);
    out.extend_from_slice(br#","text":"#);
    push_json_string(&mut out, resource.text);
    out.extend_from_slice(b"}]");
    out.into_boxed_slice()
}
