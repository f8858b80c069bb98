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
}

/**
 * Has every query end. A wire may swallow a question or its answer, and nobody says so: the server is asked, past the wire in
 * question, whether it is still busy with it. Where it is not, or nobody answers there either, the connection is broken off;
 * past the time of a statement in any case.
 */
export class SilenceWatch implements Disposable {
  readonly #server: ClientConfig
  readonly #statementMs: number
  readonly #waits = new Map<PgConnection, Wait>()
  #timer: NodeJS.Timeout | undefined
  #isAsking = false

  constructor(server: ClientConfig, statementMs: number) {
    this.#server = server
    this.#statementMs = statementMs
  }

  /** Watches over the one query that is asked on a connection. */
  async during<T>(connection: PgConnection, asked: Promise<T>, statementMs = this.#statementMs): Promise<T> {
    const wait: Wait = {
      ...{ limitMs: statementMs + graceMs, bytes: bytesOf(connection) },
      ...{ age: 0, askAt: patienceMs, patience: patienceMs },
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
    const silent: [PgConnection, Wait][] = []
    for (const [connection, wait] of this.#waits) {
      wait.age += tickMs
      const bytes = bytesOf(connection)
      if (bytes !== wait.bytes) wait.askAt = wait.age + wait.patience
      wait.bytes = bytes
      if (wait.age > wait.limitMs) discard(connection, new Error('The database did not answer in time'))
      else if (wait.age >= wait.askAt) silent.push([connection, wait])
    }
    if (silent.length > 0 && !this.#isAsking) void this.#ask(silent)
  }

  async #ask(silent: readonly [PgConnection, Wait][]): Promise<void> {
    this.#isAsking = true
    const forgotten = await findForgotten(
      this.#server,
      silent.map(([{ processID }]) => processID ?? 0),
    )
    // An answer may have come just before: it is taken first.
    await new Promise(setImmediate)
    this.#isAsking = false
    for (const [connection, wait] of silent) {
      if (this.#waits.get(connection) !== wait) continue
      if (forgotten === 'all' || forgotten.has(connection.processID ?? 0)) {
        discard(connection, new Error('The database forgot the question or its answer was lost'))
      }
      wait.patience *= 2
      wait.askAt = wait.age + wait.patience
    }
  }
}

function bytesOf({ connection }: PgConnection): number {
  return connection.stream.bytesRead
}
