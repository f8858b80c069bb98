import type { HealthDetail } from '../../system/contract.ts'
import type { Converger } from '../running/converger.ts'

/** A start that takes longer takes callers all the same: what is not there yet may never come. */
const startLimitMilliseconds = 30_000

/**
 * How the plugins of this host are, for administrators: one that cannot be started here takes nothing from the others. Until each of
 * them was tried once, the host starts.
 */
export function createPluginHealth(
  converger: Pick<Converger, 'faults' | 'count' | 'hasFollowed'>,
  now: () => number = () => performance.now(),
): () => HealthDetail {
  const latest = now() + startLimitMilliseconds
  let isOver = false
  return () => {
    const { count } = converger
    const faults = converger.faults.map(({ plugin, reason, since, tries, next_try_at }) => {
      return { plugin, reason, since, tries, next_try_at }
    })
    isOver ||= converger.hasFollowed || now() > latest
    const settled = faults.length === 0 ? 'healthy' : 'degraded'
    return { status: isOver ? settled : 'starting', running: count, faults }
  }
}
