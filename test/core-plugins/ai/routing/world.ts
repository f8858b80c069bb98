import { RoutingTable } from '../../../../core-plugins/ai/routing/routing-table.ts'
import { usualRouting, type BreakerSettings } from '../../../../core-plugins/ai/routing/settings.ts'
import type { AttemptResult, Target, Wish } from '../../../../core-plugins/ai/routing/target.ts'

/** A target named by its id. */
export function target(id: string, more: Partial<Target> = {}): Target {
  return { id, key: `${more.providerId ?? `p-${id}`}/${id}`, providerId: `p-${id}`, tier: 0, weight: 1, ...more }
}

/** Numbers that look random and are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A table whose clock stands until it is moved. */
export function tableOf(breaker: Partial<BreakerSettings> = {}, seed = 1) {
  const clock = { at: 1_700_000_000_000 }
  const told: [string, unknown][] = []
  const table = new RoutingTable({
    now: () => clock.at,
    random: seeded(seed),
    settings: () => ({ ...usualRouting, breaker: { ...usualRouting.breaker, ...breaker } }),
    news: {
      breaker: (key, record) => told.push([key, record.kind ?? 'closed']),
      cooldown: (key, until) => told.push([key, until - clock.at]),
      taken: () => undefined,
    },
  })
  return { clock, table, told, pass: (seconds: number) => void (clock.at += seconds * 1_000) }
}

/** A request for little. */
export const wish: Wish = { inputTokens: 10, maxOutputTokens: 10 }

/** Sends requests one after the other to a target and ends them so. */
export function send(table: RoutingTable, to: Target, ...ends: AttemptResult['end'][]): void {
  for (const end of ends) table.begin(to, wish).end({ end })
}
