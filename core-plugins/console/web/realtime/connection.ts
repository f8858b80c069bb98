import type { TicketBody } from '../../../auth/wire.ts'
import { call, send } from '../api/client.ts'
import { readEvents } from '../api/event-stream.ts'
import { Problem } from '../session/problem.ts'
import type { Namespace, News } from './topics.ts'

/** Who hears what a connection brings. */
export interface Listener {
  news(news: News): void
  /** Whatever was read before may be old: this connection did not hear all of it. */
  missed(): void
  state(isLive: boolean): void
}

interface Frame {
  readonly type: string
  readonly id?: string
  readonly event?: string
  readonly data?: News['data']
  readonly last_id?: string | null
  readonly heartbeat_seconds?: number
  readonly expires_at?: string | null
  readonly retry_after_ms?: number
}

const longestPause = 30_000
const crowdedPause = 10 * 60_000
const renewBefore = 30_000
/** Sockets in a row that never answered, after which the same is read as a stream: some proxies break sockets. */
const patience = 2
/** Until a socket must have said that it is ready: one that is neither opened nor refused would be waited for without end. */
const readyMilliseconds = 8_000

/**
 * Hears one namespace until it is ended: over a WebSocket that a ticket opens, or else over an event stream. What happened while it was
 * away comes when it is back, once and in order.
 */
export class Connection {
  readonly #namespace: Namespace
  readonly #listener: Listener
  readonly #end = new AbortController()
  #lastId: string | undefined
  #failures = 0
  #silent = 0
  #pause = 0
  #wake: () => void = () => undefined
  #socket: WebSocket | undefined
  #renewal: ReturnType<typeof setTimeout> | undefined
  #pinging: ReturnType<typeof setInterval> | undefined
  #opening: ReturnType<typeof setTimeout> | undefined
  #heardAt = 0

  constructor(namespace: Namespace, lastId: string | undefined, listener: Listener) {
    this.#namespace = namespace
    this.#lastId = lastId
    this.#listener = listener
    void this.#run()
  }

  /** Comes back now, where it waits to. */
  hurry(): void {
    this.#wake()
  }

  end(): void {
    this.#end.abort()
    this.#forgetTimers()
    this.#socket?.close()
    this.#wake()
  }

  get #isEnded(): boolean {
    return this.#end.signal.aborted
  }

  async #run(): Promise<void> {
    while (!this.#isEnded) {
      this.#pause = 0
      try {
        if (this.#silent < patience) await this.#throughSocket()
        else await this.#throughStream()
      } catch (error) {
        // Whoever may not listen here never may.
        if (error instanceof Problem && error.status === 403) return
      }
      if (this.#isEnded) return
      this.#listener.state(false)
      await this.#wait()
    }
  }

  async #throughSocket(): Promise<void> {
    const ticket = await this.#ticket()
    if (this.#isEnded) return
    const address = new URL(`/ws/${this.#namespace}`, location.href)
    address.protocol = address.protocol.replace('http', 'ws')
    address.searchParams.set('ticket', ticket)
    if (this.#lastId !== undefined) address.searchParams.set('last_id', this.#lastId)
    this.#silent += 1
    const socket = new WebSocket(address)
    this.#socket = socket
    this.#opening = setTimeout(() => socket.close(), readyMilliseconds)
    const code = await new Promise<number>((resolve) => {
      socket.addEventListener('message', ({ data }: MessageEvent<string>) => this.#take(JSON.parse(data) as Frame))
      socket.addEventListener('close', (event) => resolve(event.code))
    })
    this.#socket = undefined
    this.#forgetTimers()
    if (code === 4403) throw new Problem(403, {})
    if (code === 4413 || code === 4429) this.#pause = longestPause
    // Five newer ones of the same user: coming back at once would only push out one of those.
    if (code === 4409) this.#pause = crowdedPause
  }

  async #throughStream(): Promise<void> {
    const response = await send('GET', `/events/${this.#namespace}`, {
      query: { last_id: this.#lastId },
      accept: 'text/event-stream',
      signal: this.#end.signal,
    })
    for await (const { data } of readEvents(response)) this.#take(data as unknown as Frame)
  }

  #take(frame: Frame): void {
    const { type } = frame
    if (type === 'event' && frame.id !== undefined && frame.event !== undefined) {
      this.#lastId = frame.id
      this.#listener.news({ namespace: this.#namespace, id: frame.id, event: frame.event, data: frame.data ?? {} })
    }
    if (type === 'ready') {
      clearTimeout(this.#opening)
      this.#failures = 0
      if (this.#socket) this.#silent = 0
      // Nothing tells what happened before the first place that it knows.
      if (this.#lastId === undefined) this.#listener.missed()
      this.#lastId ??= frame.last_id ?? undefined
      this.#listener.state(true)
      this.#planPing((frame.heartbeat_seconds ?? 25) * 1000)
    }
    this.#heardAt = Date.now()
    if (type === 'ready' || type === 'renewed') this.#planRenewal(frame.expires_at ?? undefined)
    // However long nothing happened here, this is a place that it can come back from.
    if (type === 'pong') this.#lastId = frame.last_id ?? this.#lastId
    if (type === 'resync') {
      this.#lastId = frame.last_id ?? this.#lastId
      this.#listener.missed()
    }
    if (type === 'restart') this.#pause = frame.retry_after_ms ?? 0
  }

  /** Another credential before this one ends; without one the server ends the connection, which then comes back. */
  #planRenewal(expiresAt: string | undefined): void {
    clearTimeout(this.#renewal)
    const wait = expiresAt === undefined ? 0 : Date.parse(expiresAt) - Date.now() - renewBefore
    if (wait <= 0) return
    this.#renewal = setTimeout(() => {
      const socket = this.#socket
      if (socket?.readyState !== WebSocket.OPEN) return
      void this.#ticket().then(
        (ticket) => socket.send(JSON.stringify({ type: 'auth', ticket })),
        () => undefined,
      )
    }, wait)
  }

  /** A page does not see the server's own pings: what answers nothing for two of these is gone. */
  #planPing(milliseconds: number): void {
    clearInterval(this.#pinging)
    this.#pinging = setInterval(() => {
      const socket = this.#socket
      if (socket?.readyState !== WebSocket.OPEN) return
      if (Date.now() - this.#heardAt > 2 * milliseconds) socket.close()
      else socket.send('{"type":"ping"}')
    }, milliseconds)
  }

  #forgetTimers(): void {
    clearTimeout(this.#renewal)
    clearTimeout(this.#opening)
    clearInterval(this.#pinging)
  }

  async #ticket(): Promise<string> {
    const { signal } = this.#end
    return (await call<TicketBody>('POST', '/auth/ws-ticket', { signal })).ticket
  }

  async #wait(): Promise<void> {
    const backOff = Math.min(longestPause, 1000 * 2 ** this.#failures)
    this.#failures = Math.min(this.#failures + 1, 5)
    const milliseconds = this.#pause > 0 ? this.#pause : backOff * (0.5 + Math.random() / 2)
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
