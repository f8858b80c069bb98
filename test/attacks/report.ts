import { probes } from './neighbour.ts'
import type { Episode } from './run-attack.ts'
import type { Seen } from './watch.ts'

/** What a longest call is compared with. */
export interface Measure {
  /** Of the neighbour while nothing else was asked of the host. */
  readonly quiet: readonly Seen[]
  /** Of a plain route while processes that have nothing to do with the host were busy. */
  readonly busy: Seen
}

/** So much longer than a quiet call the longest may take. */
const most = 5
const shown = 5
const acting: ReadonlySet<string> = new Set(probes.filter(({ acts }) => acts).map(({ name }) => name))

/** A line per attack. */
export function printTable(episodes: readonly Episode[], measure: Measure): void {
  console.table(
    episodes.map((episode) => {
      const { attack, tally, seen, ends, load } = episode
      const ping = seen[0]
      const ms = (name: string) => Math.round(seenOf(seen, name)?.longest ?? 0)
      return {
        attack: attack.name,
        calls: ping?.calls ?? 0,
        failed: countsOf(seen),
        'p99 ms': Math.round(ping?.p99 ?? 0),
        'longest ms': ms('ping'),
        'x quiet': ratioTo(seenOf(measure.quiet, 'ping')?.longest ?? 0, ms('ping')),
        'x allowed': ratioTo(boundOf(measure, 'ping'), ms('ping')),
        'note ms': ms('note'),
        'fetch ms': ms('fetch'),
        'plain ms': ms('plain'),
        'sent late ms': Math.round(Math.max(...seen.map(({ late }) => late))),
        'hosts ended': countOf(ends),
        load: load.toFixed(1),
        attacker: String(tally),
      }
    }),
  )
}

/** What must not have been. */
export function faultsOf(episodes: readonly Episode[], measure: Measure): readonly string[] {
  return episodes.flatMap(({ attack, tally, seen }) => {
    const own = seen.filter(({ name }) => name !== 'plain')
    const failed = seen.flatMap(({ name, failed }) =>
      failed
        .filter((text) => !(acting.has(name) && text.includes('"cause":"plugin_restarted"')))
        .slice(0, shown)
        .map((text) => `${name}: ${text}`),
    )
    const slow = own
      .filter(({ name, longest }) => longest > most * boundOf(measure, name))
      .map(({ name, longest, longestAt }) => {
        const [took, at] = [Math.round(longest), (longestAt / 1_000).toFixed(1)]
        return `${name} took ${took} ms at ${at} s, allowed are ${Math.round(most * boundOf(measure, name))}`
      })
    return [...failed, ...slow, ...tally.faults.slice(0, shown)].map((text) => `${attack.name}: ${text}`)
  })
}

function boundOf({ quiet, busy }: Measure, name: string): number {
  return Math.max(seenOf(quiet, name)?.longest ?? 0, busy.longest)
}

function seenOf(seen: readonly Seen[], name: string): Seen | undefined {
  return seen.find((each) => each.name === name)
}

function ratioTo(bound: number, milliseconds: number): string {
  return bound === 0 ? '-' : (milliseconds / bound).toFixed(1)
}

function countsOf(seen: readonly Seen[]): string {
  const kinds = seen.flatMap(({ name, failed }) => failed.map((text) => `${name} ${text.split(' ')[0] ?? ''}`))
  return countOf(kinds) || '0'
}

function countOf(kinds: readonly string[]): string {
  return [...Map.groupBy(kinds, (kind) => kind)].map(([kind, those]) => `${those.length}x ${kind}`).join(', ')
}
