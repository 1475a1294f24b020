//! JSON as text: objects whose members keep the exact text that the client sent, and the one value that a text means.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// The members of a JSON object in the order of the text, values as text. Repeated keys are all there.
#[derive(Debug, Default)]
pub struct Members<'a>(pub Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object<'a>(std::marker::PhantomData<&'a ()>);
        impl<'de: 'a, 'a> Visitor<'de> for Object<'a> {
            type Value = Members<'a>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a JSON object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Members<'a>, M::Error> {
                let mut members = Vec::with_capacity(map.size_hint().unwrap_or(8));
                while let Some(member) = map.next_entry::<String, &'a RawValue>()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object(std::marker::PhantomData))
    }
}

/// The value that a JSON pointer (RFC 6901) names, as text; of a key that stands twice, none.
#[must_use]
pub fn at_pointer<'a>(raw: &'a RawValue, pointer: &str) -> Option<&'a RawValue> {
    if pointer.is_empty() {
        return Some(raw);
    }
    let mut found = raw;
    for step in pointer.strip_prefix('/')?.split('/') {
        found = match found.get().as_bytes().first()? {
            b'{' => {
                let key = step.replace("~1", "/").replace("~0", "~");
                let Members(members) = serde_json::from_str(found.get()).ok()?;
                let mut named = members.iter().filter(|(name, _)| *name == key);
                let (_, value) = named.next()?;
                if named.next().is_some() {
                    return None;
                }
                value
            }
            b'[' => {
                let items: Vec<&RawValue> = serde_json::from_str(found.get()).ok()?;
                items.get(step.parse::<usize>().ok()?)?
            }
            _ => return None,
        };
    }
    Some(found)
}

/// Parses a text that goes on to the API as it stands, so that what is checked here is what the API reads.
///
/// # Errors
/// A sentence that follows the value's name: a key that stands twice at any depth (readers differ in which one they
/// take), or nesting, a number or an escape that cannot be read.
pub fn single_value(text: &str) -> Result<Value, &'static str> {
    serde_json::from_str::<Single>(text)
        .map(|single| single.0)
        .map_err(|error| {
            if error.is_data() {
                "holds the same key twice"
            } else {
                "is nested too deeply, or holds a number or character that cannot be read"
            }
        })
}

/// A value whose objects name each key once.
struct Single(Value);

impl<'de> Deserialize<'de> for Single {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SingleVisitor).map(Self)
    }
}

struct SingleVisitor;

impl<'de> Visitor<'de> for SingleVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Single(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((key, Single(value))) = members.next_entry::<String, Single>()? {
            if object.insert(key, value).is_some() {
                return Err(A::Error::custom("a key stands twice"));
            }
        }
        Ok(Value::Object(object))
    }
}
