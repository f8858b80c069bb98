import type { Agent } from 'undici'
import { createGuardedAgent, type GuardedAgentOptions } from '#kernel'
import type { CallListener, ProviderCall, ProviderExchange } from './call.ts'
import { Exchange } from './exchange.ts'
import { TimerWheel } from './timer-wheel.ts'

/** What the operator set for outgoing requests. */
type Egress = Pick<GuardedAgentOptions, 'egressAllowPrivate' | 'dnsServers' | 'ca'>

/** Connections stay for the next call so long. */
const keepAliveMs = 30_000
const responseHeaderBytes = 32 * 1_024
/** Connections that are waited for equally long share pools. */
const connectClasses = [1_000, 3_000, 10_000, 60_000] as const

/**
 * The client of providers: pools of connections through the platform's guard, one call a connection, no promise and no timer for a piece
 * of an answer. Disposing it ends every call.
 */
export class ProviderConnection implements AsyncDisposable {
  readonly #egress: Egress
  readonly #wheel = new TimerWheel()
  readonly #agents = new Map<number, Agent>()

  constructor(egress: Egress) {
    this.#egress = egress
  }

  /** Sends a request; everything that becomes of it is told to the listener, never before this returns. */
  open({ url, method, headers, body, timeouts }: ProviderCall, listener: CallListener): ProviderExchange {
    const exchange = new Exchange(listener, this.#wheel, timeouts)
    const isSpoken = (url.protocol === 'https:' || url.protocol === 'http:') && url.username + url.password === ''
    if (isSpoken) {
      const request = { origin: url.origin, path: url.pathname + url.search, method, body: body ?? null }
      const all = { 'user-agent': 'stoa', 'accept-encoding': 'identity', ...headers }
      this.#agentFor(timeouts.connectMs).dispatch({ ...request, headers: all }, exchange)
    } else {
      exchange.refuse('Only http and https are spoken')
    }
    exchange.opened()
    return exchange
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#wheel[Symbol.dispose]()
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()))
  }

  #agentFor(wanted: number): Agent {
    const connectMs = connectClasses.find((milliseconds) => milliseconds >= wanted) ?? 60_000
    const known = this.#agents.get(connectMs)
    if (known) return known
    const agent = createGuardedAgent({ ...this.#egress, connectMs, keepAliveMs, responseHeaderBytes })
    this.#agents.set(connectMs, agent)
    return agent
  }
}
