import type { TakenJob, Wanted, WantedKind } from '../queue/take-jobs.ts'
import type { CompleteKind } from './kind-table.ts'

/** Jobs of this host at once. */
export const slots = 64

/** What runs already, as far as it takes room. */
type Occupant = Pick<TakenJob, 'kind' | 'tenantId' | 'group'>

/**
 * How much more this host takes. Nobody may have more of the room than what is left of it: one tenant alone half, two a third each.
 * So there is room at once for one who comes later, however long the jobs of the others are.
 */
export function roomFor(
  kinds: readonly CompleteKind[],
  running: readonly Occupant[],
  after: ReadonlyMap<string, number>,
): Omit<Wanted, 'hostId'> {
  const most = Math.max(0, slots - running.length)
  return {
    most,
    ...sharesOf(most, running),
    kinds: kinds.flatMap((kind) => wanted(kind, running, after)),
  }
}

function wanted(
  { kind, concurrency, groups }: CompleteKind,
  running: readonly Occupant[],
  after: ReadonlyMap<string, number>,
): readonly WantedKind[] {
  const same = running.filter((job) => job.kind === kind)
  const room = concurrency - same.length
  const roomy = groups && roomyGroups(groups(), same)
  if (room <= 0) return []
  return [{ kind, room, after: after.get(kind) ?? -1, ...sharesOf(room, same), ...(roomy && { groups: roomy }) }]
}

function roomyGroups(
  most: ReadonlyMap<string, number>,
  running: readonly Occupant[],
): Readonly<Record<string, number>> {
  const room = new Map(most)
  for (const { group } of running) if (group !== null) room.set(group, (room.get(group) ?? 0) - 1)
  return Object.fromEntries([...room].filter(([, left]) => left > 0))
}

function sharesOf(free: number, running: readonly Occupant[]): Pick<WantedKind, 'tenants' | 'other'> {
  const counts = new Map<number, number>()
  for (const { tenantId } of running) counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1)
  const share = (count: number): number => Math.max(0, Math.ceil((free - count) / 2))
  return { tenants: Object.fromEntries([...counts].map(([tenant, count]) => [tenant, share(count)])), other: share(0) }
}

/** Behind which tenant the next round begins: the last one in this round's order. */
export function lastServed(taken: readonly Occupant[], kind: string, after: number): number {
  const tenants = taken.filter((job) => job.kind === kind).map(({ tenantId }) => tenantId)
  if (tenants.length === 0) return after
  const wrapped = tenants.filter((tenant) => tenant <= after)
  return Math.max(...(wrapped.length > 0 ? wrapped : tenants))
}
