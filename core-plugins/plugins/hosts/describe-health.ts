import type { HealthDetail } from '../../system/contract.ts'
import type { Converger } from '../running/converger.ts'

/** How the plugins of this host are, for administrators: one that cannot be started here takes nothing from the others. */
export function describeHealth({ faults, count }: Pick<Converger, 'faults' | 'count'>): HealthDetail {
  return { status: faults.length === 0 ? 'healthy' : 'degraded', running: count, faults }
}
