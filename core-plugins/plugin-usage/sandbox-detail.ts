import type { PluginRuntime } from '../plugins/contract.ts'
import type { HealthDetail } from '../system/contract.ts'

/** How the sandbox hosts of this host are; where plugins run and there is none, not even a spare one, none can be started. */
export function sandboxDetail(runtime: Pick<PluginRuntime, 'metering' | 'loaded'>): HealthDetail {
  const { lanes, spares, running, queued, kills } = runtime.metering.pool()
  const isMissing = lanes.length + spares === 0 && runtime.loaded().length > 0
  return {
    status: isMissing ? 'degraded' : 'healthy',
    hosts: lanes.length,
    ...{ spares, running, queued },
    kills: sum(Object.values(kills)),
    resident_bytes: sum(lanes.map(({ rssBytes }) => rssBytes)),
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((all, each) => all + each, 0)
}
