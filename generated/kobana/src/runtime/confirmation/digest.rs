//! Digests of calls: the same for the same call however its JSON is laid out, and different for any other.

use ring::digest::{Context, SHA256};
use serde_json::value::RawValue;

use crate::runtime::json_text::Members;

/// Deepest nesting that is told apart; `serde_json` reads no deeper.
const MAX_DEPTH: usize = 128;

/// The digest of a tool and its arguments. Spaces, escapes and the order of members do not matter; everything else
/// does, a number's digits among it. None: the arguments are not JSON.
#[must_use]
pub fn call(tool: &str, arguments: Option<&RawValue>) -> Option<[u8; 32]> {
    let mut context = Context::new(&SHA256);
    text(&mut context, b't', tool);
    match arguments {
        Some(raw) => value(&mut context, raw.get(), 0)?,
        None => value(&mut context, "{}", 0)?,
    }
    Some(finish(context))
}

/// The digest of a question.
#[must_use]
pub fn question(shown: &str) -> [u8; 32] {
    let mut context = Context::new(&SHA256);
    text(&mut context, b'q', shown);
    finish(context)
}

/// Bytes for an idempotency key: the same each time the same confirmation is sent, and unlike any other.
#[must_use]
pub fn idempotency(nonce: &[u8; 16]) -> [u8; 16] {
    let mut context = Context::new(&SHA256);
    context.update(b"oas2mcp idempotency key");
    context.update(nonce);
    let mut key = [0; 16];
    key.copy_from_slice(&context.finish().as_ref()[..16]);
    key
}

fn finish(context: Context) -> [u8; 32] {
    let mut digest = [0; 32];
    digest.copy_from_slice(context.finish().as_ref());
    digest
}

fn value(context: &mut Context, json: &str, depth: usize) -> Option<()> {
    if depth > MAX_DEPTH {
        return None;
    }
    match json.as_bytes().first()? {
        b'{' => {
            let Members(mut members) = serde_json::from_str(json).ok()?;
            // Stable: of a key that stands twice, the first stays first.
            members.sort_by(|(left, _), (right, _)| left.cmp(right));
            count(context, b'{', members.len());
            for (key, member) in members {
                text(context, b'k', &key);
                value(context, member.get(), depth + 1)?;
            }
        }
        b'[' => {
            let items: Vec<&RawValue> = serde_json::from_str(json).ok()?;
            count(context, b'[', items.len());
            for item in items {
                value(context, item.get(), depth + 1)?;
            }
        }
        b'"' => {
            let decoded: String = serde_json::from_str(json).ok()?;
            text(context, b's', &decoded);
        }
        _ => text(context, b'v', json),
    }
    Some(())
}

/// A kind and a length before each piece: no two values run together to the same bytes.
fn text(context: &mut Context, kind: u8, piece: &str) {
    count(context, kind, piece.len());
    context.update(piece.as_bytes());
}

fn count(context: &mut Context, kind: u8, n: usize) {
    context.update(&[kind]);
    context.update(&(n as u64).to_be_bytes());
}
