import type { LoggedEvent, Principal } from '#kernel'
import type { Connection } from './connection.ts'
import { printEvent, type LoggedFrame } from './frame.ts'

const rechecksAtOnce = 50

/** Every connection of this host, by what it hears. */
export class Hub {
  readonly all = new Set<Connection>()
  readonly #byKey = new Map<string, Set<Connection>>()
  readonly #keys = new Map<Connection, readonly string[]>()
  /** The log cannot be heard: what it tells meanwhile is read afterwards. */
  #isDeaf = false

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
    const connections = this.#byKey.get(key)
    if (this.#isDeaf || !connections) return
    const delivery = printEvent(id, payload as LoggedFrame)
    for (const connection of connections) connection.offer(delivery)
  }

  lost(): void {
    this.#isDeaf = true
  }

  /** Everybody reads what was not heard. */
  missed(): void {
    this.#isDeaf = false
    void eachOf(this.all, (connection) => connection.catchUp())
  }

  /** Has those asked for again, before their next event, of whom something changed. */
  doubt(test: (principal: Principal) => boolean): void {
    for (const connection of this.all) {
      if (test(connection.caller.principal)) connection.staleSince ??= Date.now()
    }
  }

  /** Asks for those again who get no event that would do it. */
  async recheckBefore(moment: number): Promise<void> {
    const stale = [...this.all].filter(({ staleSince }) => staleSince !== undefined && staleSince <= moment)
    await eachOf(stale, (connection) => connection.recheck())
  }
}

/** Not all at once: what they ask for would stand in the way of requests. */
async function eachOf(connections: Iterable<Connection>, work: (one: Connection) => Promise<void>): Promise<void> {
  let some: Connection[] = []
  for (const connection of [...connections]) {
    some.push(connection)
    if (some.length < rechecksAtOnce) continue
    await Promise.all(some.map(work))
    some = []
  }
  await Promise.all(some.map(work))
}
