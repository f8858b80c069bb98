import { AppError, InternalError, type Logger, type Socket, type SocketContext, type TextTeller } from '#kernel'
import type { AddressPlace } from '../connections/address-limit.ts'
import { closeOf, closes, type Close } from '../connections/close.ts'
import type { Caller, Connection, Wire } from '../connections/connection.ts'
import { printFrame, type ServerFrame } from '../connections/frame.ts'
import type { Namespace } from '../connections/keys.ts'
import type { Brought } from '../admission.ts'
import { NoLastIdError, OtherCallerError } from '../errors.ts'
import type { RealtimeLimits } from '../limits.ts'
import { demandId, readFrame, type ClientFrame } from './client-frame.ts'
import { FrameRate } from './frame-rate.ts'

/** Whoever waits for a client to read waits until no more than this is left, or than they say. */
const leastWaitedBytes = 16_384

/** What a socket needs of the plugin. */
export interface SocketHost {
  readonly limits: RealtimeLimits
  readonly teller: TextTeller
  readonly log: Logger
  enter(namespace: Namespace, brought: Brought, ip: string): Promise<Caller>
  /** Opens a connection for a caller, from an event on where one is named; the client hears `ready` first. */
  connect(namespace: Namespace, caller: Caller, wire: Wire, lastId: string | undefined): Connection
  /** Goes on with another credential of the same user. */
  renew(connection: Connection, brought: Brought): Promise<void>
  /** Up to where everything has come to a connection. */
  reachedBy(connection: Connection): string | null
  acknowledged(connection: Connection): Promise<string | undefined>
  acknowledge(connection: Connection, id: string): Promise<void>
  /** The socket is gone. */
  left(session: SocketSession): void
}

/** One WebSocket: from who its client is to what it asks for. */
export class SocketSession implements Wire {
  readonly #socket: Socket
  readonly #host: SocketHost
  readonly #namespace: Namespace
  readonly #ctx: Pick<SocketContext, 'ip' | 'locale'>
  readonly #place: AddressPlace
  readonly #rate: FrameRate
  readonly #openedAt = Date.now()
  #connection: Connection | undefined
  #entering = false
  #turn: Promise<void> = Promise.resolve()
  #heardAt = this.#openedAt
  #pingedAt = this.#openedAt
  #closedAt: number | undefined
  /** Who waits until no more than so many bytes wait to be sent. */
  #drain: { readonly bytes: number; readonly done: () => void } | undefined
  readonly #sent = (): void => {
    if (this.#drain && this.bufferedBytes <= this.#drain.bytes) this.#drain.done()
  }

  constructor(
    socket: Socket,
    host: SocketHost,
    namespace: Namespace,
    ctx: Pick<SocketContext, 'ip' | 'locale'>,
    place: AddressPlace,
  ) {
    this.#socket = socket
    this.#host = host
    this.#namespace = namespace
    this.#ctx = ctx
    this.#place = place
    this.#rate = new FrameRate(host.limits.frames, host.limits.frameMilliseconds)
    socket.listen({
      message: (text) => this.#hear(() => this.#take(text)),
      sign: () => this.#hear(() => undefined),
      closed: () => this.#left(),
    })
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedBytes
  }

  send(frame: Buffer): void {
    if (this.#closedAt !== undefined) return
    // To be told when it has left costs as much as half of the sending: nobody waits for less than this.
    if (this.bufferedBytes + frame.length > leastWaitedBytes) this.#socket.send(frame, this.#sent)
    else this.#socket.send(frame)
  }

  drained(bytes: number): Promise<void> {
    const most = Math.max(bytes, leastWaitedBytes)
    if (this.#closedAt !== undefined || this.bufferedBytes <= most) return Promise.resolve()
    return new Promise((done) => (this.#drain = { bytes: most, done }))
  }

  close({ code, reason, retryMilliseconds }: Close): void {
    if (this.#closedAt !== undefined) return
    if (retryMilliseconds !== undefined) this.#say({ type: 'restart', retry_after_ms: retryMilliseconds })
    this.#closedAt = Date.now()
    if (this.#connection && !this.#connection.isClosed) this.#connection.close({ code, reason })
    this.#socket.close(code, reason)
    this.#drain?.done()
  }

  /** Enters with what came with the request; without that the first frame must say who the client is. */
  begin(brought: Brought, lastId: string | undefined): void {
    if (brought.token === undefined && brought.ticket === undefined) return
    this.#entering = true
    this.#next(() => this.#enter(brought, lastId))
  }

  /** Looks after the connection, once a second. */
  tick(now: number): void {
    const { authMilliseconds, heartbeatMilliseconds, silentMilliseconds } = this.#host.limits
    // A client that does not answer the close, and one that is not there any more.
    if (this.#closedAt !== undefined && now - this.#closedAt > 2_000) return this.#socket.cut()
    if (now - this.#heardAt > silentMilliseconds) return this.#socket.cut()
    if (this.#closedAt !== undefined) return
    if (!this.#connection && !this.#entering && now - this.#openedAt >= authMilliseconds)
      return this.close(closes.authTimeout)
    if (now - Math.max(this.#pingedAt, this.#heardAt) < heartbeatMilliseconds) return
    this.#pingedAt = now
    this.#socket.ping()
  }

  #hear(then: () => void): void {
    const now = Date.now()
    this.#heardAt = now
    if (this.#closedAt !== undefined) return
    if (this.#rate.allows(now)) then()
    else this.close(closes.rate)
  }

  #take(text: string | undefined): void {
    let frame: ClientFrame
    try {
      frame = readFrame(text)
    } catch (error) {
      return this.#tell(error)
    }
    if (frame.type === 'ping') return this.#pong()
    if (frame.type === 'auth' && !this.#connection && !this.#entering) {
      const { lastId, ...brought } = frame
      return this.begin(brought, lastId)
    }
    if (!this.#connection && !this.#entering) return this.close(closes.unauthenticated)
    this.#next(() => this.#answer(frame))
  }

  #pong(): void {
    this.#say({ type: 'pong', last_id: this.#connection ? this.#host.reachedBy(this.#connection) : null })
  }

  /** One frame after the other, in the order in which they came. */
  #next(work: () => Promise<void>): void {
    this.#turn = this.#turn.then(async () => {
      if (this.#closedAt !== undefined) return
      try {
        await work()
      } catch (error) {
        this.#tell(error)
      }
    })
  }

  async #enter(brought: Brought, lastId: string | undefined): Promise<void> {
    try {
      const caller = await this.#host.enter(this.#namespace, brought, this.#ctx.ip)
      if (this.#closedAt !== undefined) return
      this.#place.known()
      this.#connection = this.#host.connect(this.#namespace, caller, this, lastId)
    } catch (error) {
      if (!(error instanceof AppError)) this.#host.log.error({ err: error }, 'a caller could not be looked up')
      this.close(closeOf(error))
    }
  }

  async #answer(frame: ClientFrame): Promise<void> {
    const connection = this.#connection
    if (!connection || connection.isClosed) return
    if (frame.type === 'subscribe') {
      connection.topics = frame.filter
      connection.say({ type: 'subscribed', topics: frame.topics })
    }
    if (frame.type === 'ack') await this.#host.acknowledge(connection, frame.id)
    if (frame.type === 'resume') {
      const lastId = frame.lastId ?? (await this.#host.acknowledged(connection))
      if (lastId === undefined) throw new NoLastIdError()
      await connection.resume(demandId(lastId))
    }
    if (frame.type === 'auth') await this.#renew(connection, frame)
  }

  async #renew(connection: Connection, brought: Brought): Promise<void> {
    try {
      await this.#host.renew(connection, brought)
      const { expiresAt } = connection.caller.principal
      connection.say({ type: 'renewed', expires_at: expiresAt?.toISOString() ?? null })
    } catch (error) {
      if (error instanceof OtherCallerError) throw error
      this.close(closeOf(error))
    }
  }

  #tell(thrown: unknown): void {
    const error = thrown instanceof AppError ? thrown : new InternalError({ cause: thrown })
    if (error.status >= 500) this.#host.log.error({ err: thrown }, 'a frame could not be answered')
    const { code, reason } = error
    this.#say({ type: 'error', code, reason, message: this.#host.teller.tell(error, this.#ctx.locale).message })
  }

  #say(frame: ServerFrame): void {
    this.send(printFrame(frame))
    if (this.bufferedBytes > this.#host.limits.bufferedBytes) this.close(closes.tooSlow)
  }

  #left(): void {
    this.#closedAt ??= Date.now()
    this.#drain?.done()
    this.#place[Symbol.dispose]()
    this.#connection?.leave()
    this.#host.left(this)
  }
}
