import type { ClientConfig } from 'pg'
import { discard, type PgConnection } from './session.ts'
import { findForgotten } from './silent-sessions.ts'

const tickMs = 250
/** After so long without a byte the server is asked; each time it says that it is busy with it, after twice as long. */
const patienceMs = 1500
/** What a statement's own end by the server may take. */
const graceMs = 5000

interface Wait {
  readonly limitMs: number
  bytes: number
  /** Time of this process' own: while it is stopped or starved, nothing counts. */
  age: number
  askAt: number
  patience: number
  /** Nobody could be asked the last time, which may be for this host's want of time alone. */
  isDoubtful: boolean
}

/**
 * Has every query end. A wire may swallow a question or its answer, and nobody says so: the server is asked, past the wire in
 * question, whether it is still busy with it. Where it is not, or nobody answers there either, twice in a row, the connection is
 * broken off; past the time of a statement in any case.
 */
export class SilenceWatch implements Disposable {
  readonly #server: ClientConfig
  readonly #statementMs: number
  readonly #waits = new Map<PgConnection, Wait>()
  #timer: NodeJS.Timeout | undefined
  #isAsking = false
  #ticks = 0

  constructor(server: ClientConfig, statementMs: number) {
    this.#server = server
    this.#statementMs = statementMs
  }

  /** Watches over the one query that is asked on a connection. */
  async during<T>(connection: PgConnection, asked: Promise<T>, statementMs = this.#statementMs): Promise<T> {
    const wait: Wait = {
      ...{ limitMs: statementMs + graceMs, bytes: bytesOf(connection) },
      ...{ age: 0, askAt: patienceMs, patience: patienceMs, isDoubtful: false },
    }
    this.#waits.set(connection, wait)
    this.#timer ??= setInterval(() => this.#look(), tickMs).unref()
    return asked.finally(() => this.#waits.delete(connection))
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#waits.clear()
  }

  #look(): void {
    if (this.#waits.size === 0) return this[Symbol.dispose]()
    this.#ticks++
    const silent: [PgConnection, Wait][] = []
    for (const [connection, wait] of this.#waits) {
      wait.age += tickMs
      const bytes = bytesOf(connection)
      if (bytes !== wait.bytes) Object.assign(wait, { askAt: wait.age + wait.patience, isDoubtful: false })
      wait.bytes = bytes
      if (wait.age > wait.limitMs) discard(connection, new Error('The database did not answer in time'))
      else if (wait.age >= wait.askAt) silent.push([connection, wait])
    }
    if (silent.length > 0 && !this.#isAsking) void this.#ask(silent)
  }

  async #ask(silent: readonly [PgConnection, Wait][]): Promise<void> {
    this.#isAsking = true
    const [ticks, began] = [this.#ticks, performance.now()]
    const found = await findForgotten(
      this.#server,
      silent.map(([{ processID }]) => processID ?? 0),
    )
    // An answer may have come just before: it is taken first.
    await new Promise(setImmediate)
    this.#isAsking = false
    // The time for an answer ran on the clock: a process that was stopped or starved meanwhile has not waited so long.
    const hadTime = (this.#ticks - ticks) * tickMs * 2 >= performance.now() - began - tickMs
    for (const [connection, wait] of silent) {
      if (this.#waits.get(connection) !== wait || bytesOf(connection) !== wait.bytes) continue
      const isForgotten = found === 'all' ? hadTime && wait.isDoubtful : found.has(connection.processID ?? 0)
      if (isForgotten) discard(connection, new Error('The database forgot the question or its answer was lost'))
      wait.isDoubtful = found === 'all' && hadTime
      // Whoever could not be asked is asked again at once.
      if (found !== 'all') wait.patience *= 2
      wait.askAt = wait.age + (found === 'all' ? tickMs : wait.patience)
    }
  }
}

/** Of a connection in both directions: what is still being sent is no silence. */
function bytesOf({ connection: { stream } }: PgConnection): number {
  return stream.bytesRead + stream.bytesWritten - stream.writableLength
}
