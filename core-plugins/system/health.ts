import type { HealthCheck, HealthResult } from './contract.ts'

/** How long a part may take to answer. */
export const probeMilliseconds = 1000
const sharedMilliseconds = 1000

/** Asks a part of the platform whether it is there; rejects when it is not. */
type Probe = () => Promise<unknown>

/** Makes the check of all parts; callers within a second share one, so that a flood of them costs nothing. */
export function createHealthCheck(probes: Readonly<Record<string, Probe>>): () => Promise<HealthResult> {
  const checks = Object.entries(probes).map(([name, probe]) => [name, createCheck(probe)] as const)
  let shared: { readonly result: Promise<HealthResult>; readonly until: number } | undefined

  async function checkAll(): Promise<HealthResult> {
    const results = await Promise.all(checks.map(async ([name, check]) => [name, await check()] as const))
    const isHealthy = results.every(([, { status }]) => status === 'healthy')
    return {
      status: isHealthy ? 'healthy' : 'unhealthy',
      timestamp: new Date().toISOString(),
      checks: Object.fromEntries(results),
    }
  }

  return () => {
    if (!shared || shared.until <= performance.now()) {
      shared = { result: checkAll(), until: performance.now() + sharedMilliseconds }
    }
    return shared.result
  }
}

/** A probe with its limit of time; one that still hangs is not started a second time, or they would pile up. */
function createCheck(probe: Probe): () => Promise<HealthCheck> {
  let pending: Promise<'answered' | 'unreachable'> | undefined
  return async () => {
    const started = performance.now()
    pending ??= ask(probe).finally(() => (pending = undefined))
    const outcome = await Promise.race([pending, timeout()])
    const latency = Math.round(performance.now() - started)
    if (outcome === 'answered') return { status: 'healthy', latency_ms: latency }
    // A client with the same limit gives up by itself about when we do: it has run out of time too.
    const error = latency >= probeMilliseconds * 0.9 ? 'timeout' : outcome
    return { status: 'unhealthy', latency_ms: latency, error }
  }
}

async function ask(probe: Probe): Promise<'answered' | 'unreachable'> {
  try {
    await probe()
    return 'answered'
  } catch {
    return 'unreachable'
  }
}

function timeout(): Promise<'timeout'> {
  const { promise, resolve } = Promise.withResolvers<'timeout'>()
  setTimeout(() => resolve('timeout'), probeMilliseconds).unref()
  return promise
}
