import type { Cache, EventLog, Logger, TextTeller } from '#kernel'
import type { Admission, Brought } from './admission.ts'
import { AddressLimit } from './connections/address-limit.ts'
import { closes, restart, type Close } from './connections/close.ts'
import { Connection, type Caller, type ConnectionParts, type Wire } from './connections/connection.ts'
import { Hub } from './connections/hub.ts'
import type { Namespace } from './connections/keys.ts'
import type { UserLimit } from './connections/user-limit.ts'
import type { PluginRuntime } from '../plugins/contract.ts'
import { OtherCallerError } from './errors.ts'
import type { RealtimeLimits } from './limits.ts'
import type { SocketHost, SocketSession } from './sockets/socket-session.ts'
import { mayHearPlugin } from './wire/plugin-events.ts'
import { isFarewell, mayHear as mayHearPlatform } from './wire/wire-table.ts'

/** A log that says nothing for so long is asked how far it is: clients know a place that is kept. */
const markMilliseconds = 60_000
const acknowledgedSeconds = 600
/** A word about a change may come before the farewell that follows from it. */
const doubtMilliseconds = 2_000

/** What real time is built of. */
interface RealtimeParts {
  readonly eventLog: EventLog
  readonly cache: Cache
  readonly log: Logger
  readonly teller: TextTeller
  readonly admission: Admission
  readonly users: UserLimit
  readonly plugins: Pick<PluginRuntime, 'hasEntryFor'>
  readonly limits: RealtimeLimits
}

/** Every connection of this host, from its opening to its end. */
export class Realtime implements SocketHost {
  readonly hub = new Hub()
  readonly addresses: AddressLimit
  readonly limits: RealtimeLimits
  readonly teller: TextTeller
  readonly log: Logger
  readonly sessions = new Set<SocketSession>()
  isStopping = false
  readonly #parts: RealtimeParts
  /** What all connections stand on. */
  readonly #connections: ConnectionParts

  constructor(parts: RealtimeParts) {
    const { admission, eventLog, plugins, users } = parts
    this.#parts = parts
    this.#connections = {
      ...{ log: eventLog, isFarewell, bufferedBytes: parts.limits.bufferedBytes },
      admit: (...asked) => admission.admit(...asked),
      mayHear: (of, event, principal) =>
        mayHearPlatform(of, event, principal) ?? mayHearPlugin(of, event, principal, plugins),
      closed: (gone) => {
        this.hub.delete(gone)
        users.delete(gone)
      },
    }
    this.limits = parts.limits
    this.teller = parts.teller
    this.log = parts.log
    this.addresses = new AddressLimit(parts.limits)
  }

  enter(namespace: Namespace, brought: Brought, ip: string): Promise<Caller> {
    return this.#parts.admission.enter(namespace, brought, ip)
  }

  connect(namespace: Namespace, caller: Caller, wire: Wire, lastId: string | undefined): Connection {
    const connection = new Connection(namespace, caller, wire, this.#connections)
    this.hub.add(connection)
    this.#parts.users.add(connection)
    void connection.open(lastId, () => this.#greet(connection))
    return connection
  }

  async renew(connection: Connection, brought: Brought): Promise<void> {
    const { principal, ip } = connection.caller
    const caller = await this.enter(connection.namespace, brought, ip)
    const { userId, tenantId, sessionId } = caller.principal
    if (userId !== principal.userId || tenantId !== principal.tenantId) throw new OtherCallerError()
    connection.caller = caller
    if (sessionId === principal.sessionId || connection.isClosed) return
    // Another session's end is its own farewell.
    this.hub.delete(connection)
    this.hub.add(connection)
  }

  reachedBy(connection: Connection): string | null {
    return this.hub.reachedBy(connection)
  }

  /** What a ping is answered with; whoever reads a stream cannot ask, and has its last id from it. */
  beat(connection: Connection): void {
    const reached = this.reachedBy(connection)
    if (reached !== null) connection.say({ type: 'pong', last_id: reached }, reached)
  }

  acknowledged(connection: Connection): Promise<string | undefined> {
    return this.#parts.cache.get<string>(acknowledgedKey(connection))
  }

  async acknowledge(connection: Connection, id: string): Promise<void> {
    await this.#parts.cache.set(acknowledgedKey(connection), id, acknowledgedSeconds)
  }

  left(session: SocketSession): void {
    this.sessions.delete(session)
  }

  /** Looks after all connections, each second. */
  async tick(): Promise<void> {
    const now = Date.now()
    const { users, limits } = this.#parts
    for (const session of this.sessions) session.tick(now)
    for (const connection of this.hub.all) {
      const { expiresAt } = connection.caller.principal
      if (expiresAt !== undefined && expiresAt.getTime() <= now) connection.close(closes.expired)
    }
    users.settle(now)
    if (this.hub.all.size > 0 && this.hub.isSilentSince(now - markMilliseconds)) void this.#parts.eventLog.mark()
    this.#relieve(limits.allBufferedBytes)
    await this.hub.recheckBefore(now - doubtMilliseconds)
  }

  /** The host stops: everybody is told when to come back. */
  stop(): void {
    this.isStopping = true
    const count = this.hub.all.size
    this.#closeAll(() => restart(count))
  }

  /** Ends everything. */
  end(): void {
    this.isStopping = true
    this.#closeAll(() => closes.gone)
  }

  #closeAll(close: () => Close): void {
    for (const connection of this.hub.all) connection.close(close())
    for (const session of this.sessions) session.close(close())
  }

  #greet(connection: Connection): void {
    const { principal } = connection.caller
    connection.say(
      {
        type: 'ready',
        session_id: principal.sessionId,
        heartbeat_seconds: this.limits.heartbeatMilliseconds / 1000,
        last_id: connection.cursor || null,
        expires_at: principal.expiresAt?.toISOString() ?? null,
      },
      connection.cursor,
    )
  }

  /** Those who read slowest go first when all of them together hold too much. */
  #relieve(most: number): void {
    const behind = [...this.hub.all].filter(({ wire }) => wire.bufferedBytes > 0)
    let sum = behind.reduce((bytes, { wire }) => bytes + wire.bufferedBytes, 0)
    if (sum <= most) return
    for (const connection of behind.sort((a, b) => b.wire.bufferedBytes - a.wire.bufferedBytes)) {
      if (sum <= most) return
      sum -= connection.wire.bufferedBytes
      connection.close(closes.tooSlow)
    }
  }
}

function acknowledgedKey({ namespace, caller: { principal } }: Connection): string {
  return `ack:${namespace}:${principal.sessionId}`
}
