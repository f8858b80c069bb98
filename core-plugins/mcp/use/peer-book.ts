import type { Knex } from 'knex'
import type { GuardedFetch } from '#kernel'
import { McpAuthError, McpBusyError } from '../errors.ts'
import { authorizerOf } from '../peer/authorizer.ts'
import type { ClientTokens } from '../peer/client-tokens.ts'
import { Peer } from '../peer/peer.ts'
import type { PeerTarget } from '../peer/target.ts'
import type { McpServerRow } from '../tables.ts'
import { headerOf, type ServerSecrets } from './server-secrets.ts'

const mostPeers = 500
/** Of one server on one host. */
const mostAtOnce = 8

interface Known {
  readonly version: number
  readonly peer: Promise<Peer>
  busy: number
  /** As `performance.now` has it. */
  lastUsed: number
}

/** What speaking to servers stands on. */
interface PeerParts {
  readonly db: Knex
  readonly http: Pick<GuardedFetch, 'stream'>
  readonly tokens: ClientTokens
  readonly secrets: ServerSecrets
}

/** The servers that this host speaks to, each with the credentials of its own row. */
export class PeerBook implements AsyncDisposable {
  readonly #parts: PeerParts
  readonly #known = new Map<string, Known>()

  constructor(parts: PeerParts) {
    this.#parts = parts
  }

  /** Speaks to a server. Throws 429/4298 where as many do as may, and what `work` throws. */
  async with<T>(server: McpServerRow, work: (peer: Peer) => Promise<T>): Promise<T> {
    const known = this.#find(server)
    if (known.busy >= mostAtOnce) throw new McpBusyError()
    known.busy += 1
    try {
      return await work(await known.peer)
    } finally {
      known.busy -= 1
      known.lastUsed = performance.now()
    }
  }

  /** Ends what nobody used for so long: its session, and its secrets in memory; also of servers that are no more. */
  async leaveIdle(idleMs: number): Promise<void> {
    const over = performance.now() - idleMs
    const idle = [...this.#known].filter(([, { busy, lastUsed }]) => busy === 0 && lastUsed <= over)
    for (const [id] of idle) this.#known.delete(id)
    await Promise.all(idle.map(([, known]) => leave(known)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const known = [...this.#known.values()]
    this.#known.clear()
    await Promise.all(known.map((each) => leave(each)))
  }

  #find(server: McpServerRow): Known {
    const { id, version } = server
    const before = this.#known.get(id)
    if (before?.version === version) {
      this.#known.delete(id)
      this.#known.set(id, before)
      return before
    }
    if (before) void leave(before)
    const made = { version, peer: this.#open(server), busy: 0, lastUsed: performance.now() }
    // One that could not be made is made again.
    made.peer.catch(() => this.#known.get(id) === made && this.#known.delete(id))
    this.#known.set(id, made)
    const [oldest] = this.#known.size > mostPeers ? this.#known : []
    if (oldest) {
      this.#known.delete(oldest[0])
      void leave(oldest[1])
    }
    return made
  }

  async #open(server: McpServerRow): Promise<Peer> {
    return new Peer(this.#parts.http, await this.#target(server))
  }

  async #target(server: McpServerRow): Promise<PeerTarget> {
    const { db, secrets } = this.#parts
    const rows = (await secrets.of([server.id], db)).get(server.id) ?? []
    const opened = new Map(rows.map((row) => [row.field, secrets.open(row, server)]))
    const missing = [...opened.values()].includes(undefined)
    if (missing) throw new McpAuthError()
    const headers = rows.flatMap(({ field }) => {
      const [name, value] = [headerOf(field), opened.get(field)]
      return name !== undefined && value !== undefined ? [[name, value] as const] : []
    })
    const { url, timeoutMs, revision } = server
    const target = { url: new URL(url), timeoutMs, revision, headers: Object.fromEntries(headers) }
    const holder = `${server.id} ${String(server.version)}`
    return { ...target, authorization: authorizerOf(server, opened, this.#parts.tokens, holder) }
  }
}

async function leave({ peer }: Known): Promise<void> {
  await peer.then((each) => each.close()).catch(() => undefined)
}
