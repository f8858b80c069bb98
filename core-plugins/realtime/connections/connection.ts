import { randomUUIDv7 } from 'node:crypto'
import type { EventLog, Principal } from '#kernel'
import { closeOf, closes, type Close } from './close.ts'
import { printEvent, printFrame, type Delivery, type LoggedFrame, type ServerFrame } from './frame.ts'
import { keysOf, type Namespace } from './keys.ts'
import type { TopicFilter } from './topics.ts'

/** The way to a client. */
export interface Wire {
  readonly bufferedBytes: number
  send(frame: Buffer, id?: string): void
  close(close: Close): void
  /** Resolves once no more than so many bytes wait, or none ever will. */
  drained(bytes: number): Promise<void>
}

/** Who listens, and how that is proved again. */
export interface Caller {
  readonly principal: Principal
  readonly token: string
  readonly ip: string
}

/** What a connection stands on. */
export interface ConnectionParts {
  readonly log: Pick<EventLog, 'head' | 'readAfter'>
  /** Proves again who listens; throws when they may no more. */
  admit(namespace: Namespace, token: string, ip: string): Promise<Principal>
  mayHear(namespace: Namespace, event: string, principal: Principal): boolean
  /** Whether an event is the last that its reader gets. */
  isFarewell(event: string): boolean
  readonly bufferedBytes: number
  /** It hears nothing any more. */
  closed(connection: Connection): void
}

/** More events than these while a connection catches up, and it begins anew. */
const mostHeld = 2_000

/**
 * One reader of a namespace. Every event passes here once and in the order of ids: what was missed is read from the log while what
 * happens meanwhile is held back, and whoever lost a right is asked for again before the next event.
 */
export class Connection {
  readonly id = randomUUIDv7()
  readonly openedAt = Date.now()
  readonly namespace: Namespace
  readonly wire: Wire
  caller: Caller
  topics: TopicFilter | undefined
  isClosed = false
  /** Since when something changed for the caller that was not looked at yet. */
  staleSince: number | undefined
  /** The last event that was looked at, sent or not; '' while that cannot be told. */
  cursor = ''
  readonly #parts: ConnectionParts
  /** What was live when it opened; older events come by catching up alone. */
  #opened = ''
  #held: Delivery[] = []
  #heldBytes = 0
  #holds = 0
  #turn: Promise<void> = Promise.resolve()

  constructor(namespace: Namespace, caller: Caller, wire: Wire, parts: ConnectionParts) {
    this.namespace = namespace
    this.caller = caller
    this.wire = wire
    this.#parts = parts
  }

  get keys(): readonly string[] {
    return keysOf(this.namespace, this.caller.principal)
  }

  /** Whether all that was offered has been looked at. */
  get isCurrent(): boolean {
    return this.#holds === 0 && this.#held.length === 0 && !this.isClosed
  }

  /** Begins with what comes from now on, or after an event; `begun` is run before anything is sent. */
  open(lastId: string | undefined, begun: () => void): Promise<void> {
    return this.#hold(async () => {
      this.cursor = (await this.#parts.log.head()) ?? ''
      this.#opened = this.cursor
      begun()
      if (lastId !== undefined) await this.#replay(lastId)
    })
  }

  /** Sends what came after an event and was not sent to this connection yet. */
  resume(lastId: string): Promise<void> {
    return this.#hold(() => this.#replay(lastId))
  }

  /** Sends what this host may not have heard; it heard everything up to `reached`. Resolves once that was read, when it was its turn. */
  catchUp(reached: string, turn: Promise<unknown>): Promise<void> {
    // What was heard and not looked at yet is read again.
    const from = this.isCurrent && reached > this.cursor ? reached : undefined
    const read = Promise.withResolvers<void>()
    const done = this.#hold(async () => {
      await turn
      const missed = await this.#parts.log.readAfter(this.keys, from ?? this.cursor)
      read.resolve()
      await this.#verify()
      if (!missed) return await this.#resync()
      for (const { id, payload } of missed) {
        await this.#room()
        this.#deliver(printEvent(id, payload as LoggedFrame))
      }
    })
    void done.then(read.resolve)
    return read.promise
  }

  /** Takes an event of the log. */
  offer(delivery: Delivery): void {
    if (this.isClosed) return
    if (this.#parts.isFarewell(delivery.event)) return this.#deliver(delivery)
    if (this.#holds === 0 && this.staleSince === undefined) return this.#deliver(delivery)
    this.#held.push(delivery)
    this.#heldBytes += delivery.frame.length
    if (this.#held.length > mostHeld || this.#heldBytes > this.#parts.bufferedBytes) return this.close(closes.tooSlow)
    if (this.#holds === 0) void this.recheck()
  }

  /** Asks again whether the caller may listen, and closes when not. */
  recheck(): Promise<void> {
    return this.#hold(() => this.#verify())
  }

  say(frame: ServerFrame, id?: string): void {
    this.#send(printFrame(frame), id)
  }

  /** The client is gone. */
  leave(): void {
    this.close(closes.gone)
  }

  close(close: Close): void {
    if (this.isClosed) return
    this.isClosed = true
    this.#held = []
    this.#parts.closed(this)
    this.wire.close(close)
  }

  async #verify(): Promise<void> {
    while (this.staleSince !== undefined && !this.isClosed) {
      this.staleSince = undefined
      const { token, ip } = this.caller
      try {
        this.caller = { token, ip, principal: await this.#parts.admit(this.namespace, token, ip) }
      } catch (error) {
        this.close(closeOf(error))
      }
    }
  }

  async #replay(lastId: string): Promise<void> {
    const events = await this.#parts.log.readAfter(this.keys, lastId)
    await this.#verify()
    if (!events) return await this.#resync()
    const missed = events.filter(({ id }) => id <= this.#opened || id > this.cursor)
    for (const { id, payload } of missed) {
      await this.#room()
      this.#pass(printEvent(id, payload as LoggedFrame))
    }
    const last = events.at(-1)?.id ?? ''
    if (last > this.cursor) this.cursor = last
    this.say({ type: 'resumed', last_id: this.cursor, count: missed.length })
  }

  /** What was missed is sent as fast as its client reads, to whom may hear it then; only what happens meanwhile may pile up. */
  async #room(): Promise<void> {
    const most = this.#parts.bufferedBytes / 4
    if (this.wire.bufferedBytes > most) await this.wire.drained(most)
    await this.#verify()
  }

  async #resync(): Promise<void> {
    this.cursor = (await this.#parts.log.head()) ?? this.cursor
    this.say({ type: 'resync', last_id: this.cursor || null }, this.cursor)
  }

  #deliver(delivery: Delivery): void {
    if (delivery.id <= this.cursor) return
    this.cursor = delivery.id
    this.#pass(delivery)
  }

  #pass({ id, event, frame, roles }: Delivery): void {
    const isFarewell = this.#parts.isFarewell(event)
    const { principal } = this.caller
    const isMeant = roles?.some((role) => principal.roles.includes(role)) ?? true
    const isWanted = isMeant && (this.topics?.(event) ?? true)
    if (isFarewell || (isWanted && this.#parts.mayHear(this.namespace, event, principal))) this.#send(frame, id)
    if (isFarewell) this.close({ code: 4401, reason: 'token_revoked' })
  }

  #send(frame: Buffer, id?: string): void {
    if (this.isClosed) return
    this.wire.send(frame, id)
    if (this.wire.bufferedBytes > this.#parts.bufferedBytes) this.close(closes.tooSlow)
  }

  /** Holds live events back until the work is done. */
  #hold(work: () => Promise<void>): Promise<void> {
    this.#holds += 1
    const done = this.#turn.then(async () => {
      try {
        if (!this.isClosed) await work()
      } catch {
        this.close(closes.unavailable)
      } finally {
        this.#holds -= 1
        if (this.#holds === 0) this.#release()
      }
    })
    this.#turn = done
    return done
  }

  #release(): void {
    const held = this.#held
    this.#held = []
    this.#heldBytes = 0
    for (const delivery of held) this.offer(delivery)
  }
}
