//! One pass from a parser into JSON that the stock conversion cannot make: it refuses duplicate keys, expands `<<`,
//! turns keys that are not strings into strings, and bounds depth and size.

use std::cell::Cell;
use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde_json::{Map, Number, Value};

/// How the message of a duplicate key begins.
pub(super) const DUPLICATE_KEY: &str = "duplicate key";

/// Deeper documents are refused; the deepest real one of 158 has 54 levels.
const MAX_DEPTH: usize = 120;

/// More nodes are refused: aliases may multiply a small file a hundredfold.
const MAX_NODES: usize = 6_000_000;

/// What the text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// `<<` is a key like any other.
    Json,
    /// `<<` merges.
    Yaml,
}

/// Reads one node and everything below it.
pub(super) struct Node<'n> {
    syntax: Syntax,
    depth: usize,
    n_nodes: Count<'n>,
}

enum Count<'n> {
    Own(Cell<usize>),
    Shared(&'n Cell<usize>),
}

impl Count<'_> {
    fn cell(&self) -> &Cell<usize> {
        match self {
            Self::Own(cell) => cell,
            Self::Shared(cell) => cell,
        }
    }
}

impl Node<'static> {
    /// The root of a document.
    pub(super) fn new(syntax: Syntax) -> Self {
        Self {
            syntax,
            depth: 0,
            n_nodes: Count::Own(Cell::new(0)),
        }
    }
}

impl Node<'_> {
    fn child(&self) -> Node<'_> {
        Node {
            syntax: self.syntax,
            depth: self.depth + 1,
            n_nodes: Count::Shared(self.n_nodes.cell()),
        }
    }

    fn is_allowed<E: Error>(&self) -> Result<(), E> {
        let cell = self.n_nodes.cell();
        cell.set(cell.get() + 1);
        if self.depth > MAX_DEPTH {
            return Err(E::custom(format_args!(
                "nested deeper than {MAX_DEPTH} levels"
            )));
        }
        if cell.get() > MAX_NODES {
            return Err(E::custom("too large once aliases are expanded"));
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.is_allowed()?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a mapping, a list, a string, a number, true, false or null")
    }

    fn visit_bool<E>(self, v: bool) -> Result<Value, E> {
        Ok(Value::Bool(v))
    }

    fn visit_i64<E>(self, v: i64) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_u64<E>(self, v: u64) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_i128<E: Error>(self, v: i128) -> Result<Value, E> {
        #[allow(clippy::cast_precision_loss)] // JSON's own numbers lose the same digits.
        self.visit_f64(v as f64)
    }

    fn visit_u128<E: Error>(self, v: u128) -> Result<Value, E> {
        #[allow(clippy::cast_precision_loss)]
        self.visit_f64(v as f64)
    }

    fn visit_f64<E: Error>(self, v: f64) -> Result<Value, E> {
        match Number::from_f64(v) {
            Some(number) => Ok(Value::Number(number)),
            None => Err(E::custom(format_args!("`{v}` is not a finite number"))),
        }
    }

    fn visit_str<E>(self, v: &str) -> Result<Value, E> {
        Ok(Value::String(v.to_owned()))
    }

    fn visit_string<E>(self, v: String) -> Result<Value, E> {
        Ok(Value::String(v))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    /// A YAML tag that JSON has no word for: the value below it counts.
    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Value, A::Error> {
        let (_tag, variant) = access.variant::<String>()?;
        variant.newtype_variant_seed(self.child())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element_seed(self.child())? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        let mut merged = Vec::new();
        while let Some(key) = access.next_key_seed(Key)? {
            if map.contains_key(&key) {
                return Err(A::Error::custom(format_args!("{DUPLICATE_KEY} `{key}`")));
            }
            let value = access.next_value_seed(self.child())?;
            if key == "<<" && self.syntax == Syntax::Yaml {
                merged.push(value);
            } else {
                map.insert(key, value);
            }
        }
        for source in merged {
            merge::<A::Error>(&mut map, source)?;
        }
        Ok(Value::Object(map))
    }
}

/// Keys written in the mapping win over merged ones, and earlier merged mappings over later.
fn merge<E: Error>(map: &mut Map<String, Value>, source: Value) -> Result<(), E> {
    let sources = match source {
        Value::Array(sources) => sources,
        one => vec![one],
    };
    for source in sources {
        let Value::Object(source) = source else {
            return Err(E::custom("`<<` merges mappings only"));
        };
        for (key, value) in source {
            map.entry(key).or_insert(value);
        }
    }
    Ok(())
}

/// A key of a mapping, as a string.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a plain key")
    }

    fn visit_str<E>(self, v: &str) -> Result<String, E> {
        Ok(v.to_owned())
    }

    fn visit_string<E>(self, v: String) -> Result<String, E> {
        Ok(v)
    }

    fn visit_bool<E>(self, v: bool) -> Result<String, E> {
        Ok(v.to_string())
    }

    fn visit_i64<E>(self, v: i64) -> Result<String, E> {
        Ok(v.to_string())
    }

    fn visit_u64<E>(self, v: u64) -> Result<String, E> {
        Ok(v.to_string())
    }

    fn visit_i128<E>(self, v: i128) -> Result<String, E> {
        Ok(v.to_string())
    }

    fn visit_u128<E>(self, v: u128) -> Result<String, E> {
        Ok(v.to_string())
    }

    fn visit_f64<E>(self, v: f64) -> Result<String, E> {
        Ok(v.to_string())
    }

    fn visit_unit<E>(self) -> Result<String, E> {
        Ok("null".to_owned())
    }
}
