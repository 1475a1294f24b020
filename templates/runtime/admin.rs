//! The admin address: `/healthz` and `/readyz`.
