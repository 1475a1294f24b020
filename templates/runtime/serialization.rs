//! Parameter styles: a JSON value → path, query, header or cookie text.
