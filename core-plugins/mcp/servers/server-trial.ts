import type { GuardedFetch } from '#kernel'
import { McpBusyError, McpTimeoutError } from '../errors.ts'
import { refuseFaults } from '../faults.ts'
import { authorizerOf } from '../peer/authorizer.ts'
import { ClientTokens } from '../peer/client-tokens.ts'
import { Peer } from '../peer/peer.ts'
import type { McpServerRow } from '../tables.ts'
import { listTools } from '../tools/list-tools.ts'
import { changeFaults } from './rules.ts'
import { testLook } from './test-server.ts'
import type { WhereTo } from './where-to.ts'
import { columnsOf, usualColumns, type ServerChange } from './wishes.ts'

/** What trying stands on. */
interface TrialParts {
  readonly http: Pick<GuardedFetch, 'fetch' | 'stream'>
  readonly whereTo: WhereTo
}

/** A server as it would be added; its tools and name are no matter of how it is reached. */
type TriedServer = Omit<ServerChange, 'name' | 'tools' | 'status'> & { readonly url: string }

const longestMs = 60_000
/** Of one tenant, or of the platform, on one host: each holds connections for up to that time. */
const mostAtOnce = 4

/** Tries servers before they are added: nothing of them is kept. */
export class ServerTrial {
  readonly #parts: TrialParts
  /** How many are under way, by tenant. */
  readonly #busy = new Map<number, number>()

  constructor(parts: TrialParts) {
    this.#parts = parts
  }

  /** What it finds is no error. Throws 422/4229 for what could not be added either, and 429/4298 where as many are under way as may. */
  async try(wish: TriedServer, tenantId: number) {
    const busy = this.#busy.get(tenantId) ?? 0
    if (busy >= mostAtOnce) throw new McpBusyError()
    this.#busy.set(tenantId, busy + 1)
    try {
      return await this.#try(wish)
    } finally {
      const left = (this.#busy.get(tenantId) ?? 1) - 1
      if (left > 0) this.#busy.set(tenantId, left)
      else this.#busy.delete(tenantId)
    }
  }

  async #try(wish: TriedServer) {
    const { whereTo } = this.#parts
    const columns = columnsOf(usualColumns, wish)
    if (!columns?.auth) return refuseFaults([{ field: 'oauth', rule: 'required', message: 'is required for this way' }])
    const { auth, timeoutMs = usualColumns.timeoutMs } = columns
    const tokenUrl = auth.type === 'oauth_client_credentials' ? auth.token_url : undefined
    refuseFaults([
      ...changeFaults(wish, auth),
      ...(await whereTo.faults('url', wish.url)),
      ...(tokenUrl === undefined ? [] : await whereTo.faults('oauth.token_url', tokenUrl)),
    ])
    return testLook(() => this.#look(wish, { url: wish.url, auth, timeoutMs }))
  }

  async #look(
    { headers = {}, credentials = {} }: TriedServer,
    server: Pick<McpServerRow, 'url' | 'auth' | 'timeoutMs'>,
  ) {
    const { http } = this.#parts
    const signal = AbortSignal.timeout(longestMs)
    const given = Object.entries(headers).flatMap(([name, value]) =>
      value === null ? [] : [[name.toLowerCase(), value] as const],
    )
    const secrets = new Map(Object.entries(credentials).map(([field, value]) => [field, value ?? undefined]))
    const peer = new Peer(http, {
      ...{ url: new URL(server.url), timeoutMs: server.timeoutMs, revision: null, headers: Object.fromEntries(given) },
      authorization: authorizerOf(server, secrets, new ClientTokens(http), 'trial'),
    })
    try {
      const tools = await listTools(peer, signal)
      return { tools, terms: await peer.terms(signal) }
    } catch (error) {
      throw signal.aborted ? new McpTimeoutError({ cause: error }) : error
    } finally {
      // In nobody's time: it waits for what of the beginning is still under way.
      void peer.close()
    }
  }
}
