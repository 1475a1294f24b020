//! Writes the numbers as text: OpenMetrics 1.0, or the older form of Prometheus.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use http::HeaderMap;
use http::header::ACCEPT;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{
    DescriptorEncoder, EncodeLabelSet, EncodeMetric, MetricEncoder, NoLabelSet, prometheus_text,
    text,
};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::{Registry, Unit};

use crate::runtime::metrics::{Budget, ConfirmationEnd, Metrics, REFUSAL_KINDS, STATUSES, value};

/// Form of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// OpenMetrics 1.0.
    OpenMetrics,
    /// The text format 0.0.4 of Prometheus.
    Prometheus,
}

impl Format {
    /// What the reader asks for; one that does not say gets the older form.
    #[must_use]
    pub fn choose(headers: &HeaderMap) -> Self {
        let mut accepted = headers.get_all(ACCEPT).iter();
        let is_open = accepted.any(|value| {
            let text = value.to_str().unwrap_or("");
            text.contains("application/openmetrics-text")
        });
        if is_open {
            Self::OpenMetrics
        } else {
            Self::Prometheus
        }
    }

    /// `Content-Type` of the text.
    #[must_use]
    pub fn content_type(self) -> &'static str {
        match self {
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Self::Prometheus => prometheus_text::CONTENT_TYPE,
        }
    }
}

/// The numbers at one moment, with what only the service knows.
#[derive(Debug)]
struct Moment {
    metrics: Arc<Metrics>,
    n_running: usize,
}

impl Metrics {
    /// The text, with the number of calls that run.
    ///
    /// # Errors
    /// None in memory; the writer of a text may fail by its type.
    pub fn render(
        self: &Arc<Self>,
        format: Format,
        n_running: usize,
    ) -> Result<String, fmt::Error> {
        let mut registry = Registry::default();
        registry.register_collector(Box::new(Moment {
            metrics: self.clone(),
            n_running,
        }));
        let mut written = String::new();
        match format {
            Format::OpenMetrics => text::encode(&mut written, &registry)?,
            Format::Prometheus => prometheus_text::encode(&mut written, &registry)?,
        }
        Ok(written)
    }
}

impl Collector for Moment {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let metrics = &self.metrics;
        let catalog = metrics.catalog;
        encoder
            .encode_descriptor("mcp_build", "The server.", None, MetricType::Info)?
            .encode_info(&[("name", catalog.name), ("version", catalog.version)])?;
        calls(metrics, &mut encoder)?;
        let upstream = &metrics.upstream;
        let mut family = counter(
            &mut encoder,
            "mcp_upstream_responses",
            "Answers of the API by status; none: it was asked and did not answer.",
        )?;
        for (status, count) in STATUSES.zip(&upstream.by_status) {
            if value(count) > 0 {
                let status = status.to_string();
                add(&mut family, &[("status", status.as_str())], value(count))?;
            }
        }
        add(&mut family, &[("status", "none")], value(&upstream.without))?;
        own_counters(metrics, &mut encoder)?;
        let n_open = metrics.connections.load(Ordering::Relaxed);
        gauge(&mut encoder, "mcp_connections", "Open connections.", n_open)?;
        gauge(
            &mut encoder,
            "mcp_calls_running",
            "Calls that run at the moment.",
            i64::try_from(self.n_running).unwrap_or(i64::MAX),
        )
    }
}

fn calls(metrics: &Metrics, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
    let mut family = counter(
        encoder,
        "mcp_tool_calls",
        "Tool calls by outcome: ok, or the code of the error.",
    )?;
    metrics.calls.each(|tool, outcome, count| {
        add(&mut family, &[("tool", tool), ("outcome", outcome)], count)
    })?;
    let mut family = encoder.encode_descriptor(
        "mcp_tool_call_duration",
        "From the arrival of a call that ran to its answer.",
        Some(&Unit::Seconds),
        MetricType::Histogram,
    )?;
    for (tool, duration) in metrics.calls.durations() {
        let taken = duration.snapshot();
        family
            .encode_family(&[("tool", tool)])?
            .encode_histogram::<NoLabelSet>(taken.sum_s, taken.n, &taken.buckets, None)?;
    }
    Ok(())
}

fn own_counters(metrics: &Metrics, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
    let mut family = counter(
        encoder,
        "mcp_confirmations",
        "Steps of confirmations of destructive calls.",
    )?;
    for (end, count) in ConfirmationEnd::ALL.iter().zip(&metrics.confirmations) {
        add(&mut family, &[("outcome", end.name())], value(count))?;
    }
    let mut family = counter(
        encoder,
        "mcp_requests_refused",
        "Requests that were refused before they were answered.",
    )?;
    for ((_, name), count) in REFUSAL_KINDS.iter().zip(&metrics.refusals) {
        add(&mut family, &[("kind", *name)], value(count))?;
    }
    let mut family = counter(
        encoder,
        "mcp_rate_limited",
        "Requests above the limit of their caller.",
    )?;
    for (budget, count) in Budget::ALL.iter().zip(&metrics.rate_limited) {
        add(&mut family, &[("budget", budget.name())], value(count))?;
    }
    let family = counter(
        encoder,
        "mcp_connections_refused",
        "Connections above the limit.",
    )?;
    ConstCounter::new(value(&metrics.refused_connections)).encode(family)
}

fn counter<'a>(
    encoder: &'a mut DescriptorEncoder<'_>,
    name: &'a str,
    help: &str,
) -> Result<MetricEncoder<'a>, fmt::Error> {
    encoder.encode_descriptor(name, help, None, MetricType::Counter)
}

fn add(family: &mut MetricEncoder<'_>, labels: &impl EncodeLabelSet, count: u64) -> fmt::Result {
    ConstCounter::new(count).encode(family.encode_family(labels)?)
}

fn gauge(encoder: &mut DescriptorEncoder<'_>, name: &str, help: &str, now: i64) -> fmt::Result {
    let family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
    ConstGauge::new(now).encode(family)
}
