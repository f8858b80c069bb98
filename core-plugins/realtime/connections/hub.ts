import type { LoggedEvent, Principal } from '#kernel'
import type { Connection } from './connection.ts'
import { printEvent, type LoggedFrame } from './frame.ts'

const mostAtOnce = 50

/** Every connection of this host, by what it hears. */
export class Hub {
  readonly all = new Set<Connection>()
  readonly #byKey = new Map<string, Set<Connection>>()
  readonly #keys = new Map<Connection, readonly string[]>()
  /** The log cannot be heard: what it tells meanwhile is read afterwards. */
  #isDeaf = false
  /** Everything up to it was offered to whom it concerns; '' before the first word of the log. */
  #reached = ''
  #reachedAt = Date.now()

  /** What has come to a connection, whether or not there was an event of its own: an id of the log, or null while that cannot be told. */
  reachedBy(connection: Connection): string | null {
    if (!connection.isCurrent) return null
    return (this.#reached > connection.cursor ? this.#reached : connection.cursor) || null
  }

  /** Whether the log has said nothing for so long. */
  isSilentSince(moment: number): boolean {
    return this.#reachedAt < moment
  }

  add(connection: Connection): void {
    const { keys } = connection
    this.all.add(connection)
    this.#keys.set(connection, keys)
    for (const key of keys) {
      const known = this.#byKey.get(key)
      if (known) known.add(connection)
      else this.#byKey.set(key, new Set([connection]))
    }
  }

  delete(connection: Connection): void {
    this.all.delete(connection)
    for (const key of this.#keys.get(connection) ?? []) {
      const known = this.#byKey.get(key)
      known?.delete(connection)
      if (known?.size === 0) this.#byKey.delete(key)
    }
    this.#keys.delete(connection)
  }

  /** Brings an event to those whom it concerns; it is printed once. */
  heard({ id, key, payload }: LoggedEvent): void {
    if (this.#isDeaf) return
    this.reached(id)
    const connections = this.#byKey.get(key)
    if (!connections) return
    const delivery = printEvent(id, payload as LoggedFrame)
    for (const connection of connections) connection.offer(delivery)
  }

  reached(id: string): void {
    if (this.#isDeaf) return
    this.#reached = id
    this.#reachedAt = Date.now()
  }

  lost(): void {
    this.#isDeaf = true
  }

  /** Everybody reads what was not heard. */
  missed(): void {
    this.#isDeaf = false
    const reached = this.#reached
    let turn: Promise<unknown> = Promise.resolve()
    // All hold back from now on what happens; a few at a time read.
    for (const some of batchesOf(this.all)) {
      const before = turn
      turn = Promise.all(some.map((connection) => connection.catchUp(reached, before)))
    }
  }

  /** Has those asked for again, before their next event, of whom something changed. */
  doubt(test: (principal: Principal) => boolean): void {
    for (const connection of this.all) {
      if (test(connection.caller.principal)) connection.staleSince ??= Date.now()
    }
  }

  /** Asks for those again who get no event that would do it. */
  async recheckBefore(moment: number): Promise<void> {
    const isDue = ({ staleSince, isCurrent }: Connection): boolean =>
      // Who still sends what was missed asks before each event, and may wait for its client.
      staleSince !== undefined && staleSince <= moment && isCurrent
    const stale = [...this.all].filter(isDue)
    for (const some of batchesOf(stale)) await Promise.all(some.map((connection) => connection.recheck()))
  }
}

/** Not all at once: what they ask for would stand in the way of requests. */
function batchesOf(connections: Iterable<Connection>): readonly (readonly Connection[])[] {
  const all = [...connections]
  return Array.from({ length: Math.ceil(all.length / mostAtOnce) }, (_, at) => {
    return all.slice(at * mostAtOnce, (at + 1) * mostAtOnce)
  })
}
