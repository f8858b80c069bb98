import { Counter, Gauge, Registry } from 'prom-client'
import { breakerValue, type Metrics } from './read-metrics.ts'

/** Metrics in the text format of Prometheus, and the content type that says which version of the format it is. */
export async function printMetrics(metrics: Metrics): Promise<{ readonly text: string; readonly contentType: string }> {
  // A registry of its own for every scrape: what is gone since the last one is not shown again.
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    ...{ name: 'ai_requests_total', help: 'Attempts, and requests that were refused before any', registers },
    labelNames: ['provider', 'model', 'outcome'],
  })
  for (const { provider_id: provider, model, outcome, count } of metrics.requests) {
    requests.inc({ provider, model, outcome }, count)
  }
  const estimated = new Counter({
    ...{ name: 'ai_usage_estimated_total', help: 'Calls whose usage the provider did not say', registers },
    labelNames: ['provider', 'model'],
  })
  for (const { provider_id: provider, model, count } of metrics.usage_estimated)
    estimated.inc({ provider, model }, count)
  const ttft = new Gauge({
    ...{ name: 'ai_ttft_seconds', help: 'Time to the first token of streams in the last five minutes', registers },
    labelNames: ['provider', 'model', 'quantile'],
  })
  for (const { provider_id: provider, target: model, p50_ms: p50, p95_ms: p95 } of metrics.ttft) {
    ttft.set({ provider, model, quantile: '0.5' }, p50 / 1_000)
    ttft.set({ provider, model, quantile: '0.95' }, p95 / 1_000)
  }
  const breakers = new Gauge({
    ...{
      name: 'ai_breaker_state',
      help: '0 closed, 1 half open, 2 open',
      registers,
      labelNames: ['provider', 'model'],
    },
  })
  for (const { provider_id: provider, target: model, state } of metrics.breakers) {
    breakers.set({ provider, model }, breakerValue(state))
  }
  const quotas = new Gauge({
    ...{ name: 'ai_quota_used_ratio', help: 'Used and held of the fullest bucket, of the limit', registers },
    labelNames: ['quota', 'metric'],
  })
  for (const { quota_id: quota, metric, used_ratio: ratio } of metrics.quotas) quotas.set({ quota, metric }, ratio)
  const budget = { name: 'ai_retry_budget_ratio', help: 'Retries of requests in the last five minutes', registers }
  new Gauge(budget).set(metrics.retry_budget.ratio)
  return { text: await registry.metrics(), contentType: registry.contentType }
}
