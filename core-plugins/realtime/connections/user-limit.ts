import type { Bus } from '#kernel'
import { closes } from './close.ts'
import type { Connection } from './connection.ts'

/** What hosts tell each other: the connections of a user on one host, oldest or newest first as it comes. */
interface Told {
  readonly user: string
  readonly host: string
  readonly connections: readonly (readonly [id: string, openedAt: number])[]
  /** The others shall say what they have. */
  readonly asks: boolean
}

/** What a host said of a user, and when. */
interface Heard extends Pick<Told, 'connections'> {
  readonly at: number
}

const channel = 'realtime.connections'
/** Answers of other hosts are waited for so long, and believed no longer. */
const answerMilliseconds = 500
const believedMilliseconds = 3_000

/**
 * Lets a user have so many connections, over all hosts: the oldest makes room. Only what a host said a moment ago counts, since one
 * that died holds none.
 */
export class UserLimit implements Disposable {
  readonly #bus: Bus
  readonly #host: string
  readonly #most: number
  readonly #own = new Map<string, Set<Connection>>()
  /** By user and host. */
  readonly #others = new Map<string, Map<string, Heard>>()
  readonly #due = new Map<string, number>()
  readonly #subscription: Disposable

  constructor(bus: Bus, host: string, most: number) {
    this.#bus = bus
    this.#host = host
    this.#most = most
    this.#subscription = bus.subscribe(channel, (told) => this.#hear(told as Told))
  }

  add(connection: Connection): void {
    const user = userOf(connection)
    const own = this.#own.get(user) ?? new Set()
    this.#own.set(user, own.add(connection))
    this.#makeRoom(user, [])
    this.#due.set(user, Date.now() + answerMilliseconds)
    void this.#tell(user, true)
  }

  delete(connection: Connection): void {
    const user = userOf(connection)
    const own = this.#own.get(user)
    own?.delete(connection)
    if (own?.size === 0) this.#own.delete(user)
  }

  /** Counts with what the others answered; called now and then. */
  settle(now: number): void {
    for (const [user, moment] of this.#due) {
      if (moment > now) continue
      this.#due.delete(user)
      const elsewhere = [...(this.#others.get(user)?.values() ?? [])].filter(
        ({ at }) => at > now - believedMilliseconds,
      )
      this.#makeRoom(
        user,
        elsewhere.flatMap(({ connections }) => connections),
      )
    }
    for (const [user, hosts] of this.#others) {
      for (const [host, { at }] of hosts) if (at <= now - believedMilliseconds) hosts.delete(host)
      if (hosts.size === 0) this.#others.delete(user)
    }
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]()
  }

  #makeRoom(user: string, elsewhere: Told['connections']): void {
    const own = [...(this.#own.get(user) ?? [])].filter(({ isClosed }) => !isClosed)
    const all = [...own.map(({ id, openedAt }) => [id, openedAt] as const), ...elsewhere]
    all.sort(([a, before], [b, after]) => after - before || (a < b ? 1 : -1))
    const beyond = new Set(all.slice(this.#most).map(([id]) => id))
    for (const connection of own) if (beyond.has(connection.id)) connection.close(closes.replaced)
  }

  #hear(told: Told): void {
    const { user, host, asks, connections } = told
    if (!this.#own.has(user)) return
    const hosts = this.#others.get(user) ?? new Map<string, Heard>()
    this.#others.set(user, hosts.set(host, { at: Date.now(), connections }))
    if (!this.#due.has(user)) this.#due.set(user, Date.now() + answerMilliseconds)
    if (asks) void this.#tell(user, false)
  }

  async #tell(user: string, asks: boolean): Promise<void> {
    const connections = [...(this.#own.get(user) ?? [])].map(({ id, openedAt }) => [id, openedAt] as const)
    await this.#bus.publish(channel, { user, host: this.#host, connections, asks } satisfies Told)
  }
}

function userOf({ caller: { principal } }: Connection): string {
  return `${principal.tenantId}:${principal.userId}`
}
