import { presentAttempt, type Attempt, type HostIndex } from './ledger.ts'
import { isFailure } from './recovery.ts'
import type { Episode } from './run-cause.ts'

/** Answers that say nothing of their cause, or lay it to a plugin: none of them may come of what is broken here. */
const forbidden: ReadonlySet<number> = new Set([5000, 5001, 5004, 5008, 5035, 5040])
const aimMs = 5_000
/** Of faults that are alike so many are shown; all of them are in the logs. */
const shown = 3

/** A line per cause: calls, failures, and how soon each host was well again at worst. */
export function printTable(episodes: readonly Episode[], attempts: readonly Attempt[]): void {
  const rows = [...Map.groupBy(episodes, ({ cause }) => cause.name)].map(([name, those]) => {
    const calls = attempts.filter((attempt) => those.some((episode) => isWithin(attempt, episode)))
    const failures = calls.filter(isFailure)
    const spared = failures.filter((attempt) => those.some((each) => isSpared(attempt, each)))
    const worst = (pick: (recovery: Episode['recovery'][0]) => number | undefined, isOwn: boolean) =>
      Math.max(
        0,
        ...those.flatMap(({ recovery, host }) =>
          recovery.flatMap((each, at) => (((host ?? at) === at) === isOwn ? (pick(each) ?? 60_000) : [])),
        ),
      )
    return {
      cause: `${name} x${those.length}`,
      calls: calls.length,
      failed: failures.length,
      'failed at the other': spared.length,
      forbidden: failures.filter((attempt) => isForbidden(attempt, those)).length,
      'first ms': worst(({ firstMs }) => firstMs, true),
      'steady ms': worst(({ steadyMs }) => steadyMs, true),
      'steady ms of the other': worst(({ steadyMs }) => steadyMs, false),
      'slowest ms': Math.max(0, ...calls.map(({ from, to }) => to - from)),
      answers: countsOf(failures),
    }
  })
  console.table(rows)
}

/** What is wrong beside what the ledger already has: forbidden answers and recoveries that take too long. */
export function faultsOf(episodes: readonly Episode[], attempts: readonly Attempt[]): readonly string[] {
  const bad = attempts.filter((attempt) => isForbidden(attempt, episodes))
  const causeOf = (attempt: Attempt) => episodes.find((episode) => isWithin(attempt, episode))?.cause.name ?? 'calm'
  const alike = Map.groupBy(bad, (attempt) => `${causeOf(attempt)}: ${attempt.kind} ${attempt.code}`)
  const answers = [...alike].flatMap(([name, those]) =>
    those.slice(0, shown).map((attempt) => `${name}, one of ${those.length}: ${presentAttempt(attempt)}`),
  )
  const slow = episodes.flatMap(({ cause, host, recovery }) =>
    recovery.flatMap(({ firstMs = Infinity, steadyMs }, at) =>
      Math.max(firstMs, steadyMs) > aimMs
        ? [
            `${cause.name}${host === undefined ? '' : ` of host ${host}`}: host ${at} is well after ${Math.max(firstMs, steadyMs)} ms`,
          ]
        : [],
    ),
  )
  return [...answers, ...slow]
}

function isForbidden(attempt: Attempt, episodes: readonly Episode[]): boolean {
  if (!forbidden.has(attempt.code)) return false
  return !episodes.some((each) => isWithin(attempt, each) && each.cause.allows?.includes(attempt.code))
}

function isWithin(attempt: Attempt, { from, to }: Episode): boolean {
  return attempt.to >= from && attempt.to <= to
}

function isSpared(attempt: Attempt, episode: Episode): boolean {
  const other: HostIndex | undefined = episode.host === undefined ? undefined : episode.host === 0 ? 1 : 0
  return attempt.host === other && isWithin(attempt, episode)
}

function countsOf(failures: readonly Attempt[]): string {
  const groups = Map.groupBy(failures, ({ status, code }) => (status === 0 ? 'lost' : `${code || status}`))
  return [...groups].map(([code, those]) => `${those.length}x${code}`).join(' ')
}
