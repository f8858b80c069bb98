import { sayError, type Said } from '#kernel'
import type { DesiredPlugin } from './desired-state.ts'

const firstWaitMilliseconds = 1_000
const longestWaitMilliseconds = 60_000
/** While anything fails one of them is tried at least so often: when that goes well, all others are tried at once. */
const scoutMilliseconds = 2_000

/** Why a plugin does not run on this host at the moment. */
export interface HostFault {
  readonly plugin: string
  readonly reason: string
  /** What the reason is told from; absent from hosts of an older version. */
  readonly said?: Said
  readonly since: string
  readonly tries: number
  /** When it is tried again at the latest. */
  readonly next_try_at: string
}

interface Entry {
  /** What was tried: something else is tried at once. */
  readonly wanted: Pick<DesiredPlugin, 'id' | 'releaseId' | 'epoch'>
  readonly reason: Said
  readonly since: number
  readonly tries: number
  readonly triedAt: number
  readonly wait: number
  readonly dueAt: number
}

/** What this host could not start, and when it tries again: twice as late each time, and soon when the host is well again. */
export class HostFaults {
  readonly #entries = new Map<string, Entry>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Whether there are none. */
  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  /** Writes a failed try down; answers whether it tells something new. */
  note({ name, id, releaseId, epoch }: DesiredPlugin, error: unknown): boolean {
    const reason = sayError(error)
    const before = this.#entries.get(name)
    const wait = Math.min((before?.wait ?? firstWaitMilliseconds / 2) * 2, longestWaitMilliseconds)
    const triedAt = this.#now()
    const since = before?.since ?? triedAt
    const tries = (before?.tries ?? 0) + 1
    const wanted = { id, releaseId, epoch }
    this.#entries.set(name, { wanted, reason, since, tries, triedAt, wait, dueAt: triedAt + wait })
    return before?.reason.words !== reason.words
  }

  /** The plugin runs: what kept it from that may have kept others too, so they are due. */
  mended(name: string): void {
    if (!this.#entries.delete(name)) return
    for (const [other, entry] of this.#entries) this.#entries.set(other, { ...entry, dueAt: 0 })
  }

  /** The plugin is not wanted any more. */
  forget(name: string): void {
    this.#entries.delete(name)
  }

  /** The plugins that fail, as they were tried. */
  get names(): readonly string[] {
    return [...this.#entries.keys()]
  }

  /** Whether to try a plugin now; what has not failed yet, as it is wanted, is due. */
  isDue({ name, id, releaseId, epoch }: DesiredPlugin, due: ReadonlySet<string>): boolean {
    const wanted = this.#entries.get(name)?.wanted
    return !wanted || wanted.id !== id || wanted.releaseId !== releaseId || wanted.epoch !== epoch || due.has(name)
  }

  /** Those that failed and are tried again now. */
  due(): ReadonlySet<string> {
    const now = this.#now()
    const due = new Set([...this.#entries].flatMap(([name, { dueAt }]) => (dueAt <= now ? name : [])))
    const tried = [...this.#entries].sort(([, a], [, b]) => a.triedAt - b.triedAt)
    const [scout] = tried[0] ?? []
    const [, last] = tried.at(-1) ?? []
    if (scout !== undefined && last && last.triedAt + scoutMilliseconds <= now) due.add(scout)
    return due
  }

  /** For administrators. */
  list(): readonly HostFault[] {
    return [...this.#entries].map(([plugin, { reason, since, tries, dueAt, triedAt }]) => ({
      plugin,
      reason: reason.words,
      said: reason,
      since: new Date(since).toISOString(),
      tries,
      next_try_at: new Date(Math.max(dueAt, triedAt)).toISOString(),
    }))
  }
}
