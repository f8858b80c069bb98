import { Counter, Gauge, Registry } from 'prom-client'
import type { MetricFamily } from '#kernel'

/** Figures in the text format of Prometheus, and the content type that says which version of the format it is. */
export async function printMetrics(
  families: readonly MetricFamily[],
): Promise<{ readonly text: string; readonly contentType: string }> {
  // A registry of its own for every scrape: what is gone since the last one is not shown again.
  const registry = new Registry()
  for (const family of families) add(registry, family)
  return { text: await registry.metrics(), contentType: registry.contentType }
}

function add(registry: Registry, { name, help, type, samples }: MetricFamily): void {
  const labelNames = [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))]
  const options = { name, help, labelNames, registers: [registry] }
  if (type === 'counter') {
    const counter = new Counter(options)
    for (const { labels, value } of samples) counter.inc(labels, value)
    return
  }
  const gauge = new Gauge(options)
  for (const { labels, value } of samples) if (Number.isFinite(value)) gauge.set(labels, value)
}
