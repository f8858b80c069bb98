import type { PublishedEvent } from '#sandbox'
import type { Knex } from 'knex'
import { EventQueueFullError } from './errors.ts'

/** Events that may wait for one plugin and tenant; one tenant cannot fill the queue of others. */
const QUEUE_LENGTH = 1_000
/** A host that took an event and says nothing for so long is dead, and another takes over. */
const LEASE = '20 seconds'
/** After so many attempts an event is set aside and those behind it go on. */
const ATTEMPTS = 8
/** Set aside for so long, for whoever looks into it. */
const KEEP_FAILED = '7 days'
const everybody = { tenant: 'all' } as const

/** An event of a plugin, or of the platform under its name for plugins. */
export type NewEvent = Omit<PublishedEvent, 'plugin'> &
  Partial<Pick<PublishedEvent, 'plugin'>> & {
    /** The one plugin that it is for. */
    readonly only?: string
  }

/** A plugin that hears an event. */
export interface Subscriber {
  readonly id: number
  readonly name: string
}

/** An event that waits for a plugin. */
export interface QueuedEvent {
  readonly id: string
  readonly pluginId: number
  readonly tenantId: number
  readonly type: string
  readonly payload: unknown
  readonly hop: number
  readonly traceId: string | undefined
  readonly attempts: number
  readonly occurredAt: Date
}

/** The durable queue of events: each reaches each plugin at least once, in order per plugin and tenant. */
export class EventQueue {
  readonly #db: Knex

  constructor(db: Knex) {
    this.#db = db
  }

  /**
   * Queues an event for plugins. Throws 429/4299 when the publisher's own queue is full; answers the others whose queue has no
   * room, who miss it: who does not keep up holds nobody else up.
   */
  async add(event: NewEvent, subscribers: readonly Subscriber[]): Promise<readonly string[]> {
    return this.#db.transaction((trx) => this.addWithin(trx, event, subscribers))
  }

  /** The same as part of a transaction, which throws it away when it ends badly. */
  async addWithin(
    trx: Knex.Transaction,
    { plugin, type, tenantId, payload, hop, traceId }: NewEvent,
    subscribers: readonly Subscriber[],
  ): Promise<readonly string[]> {
    const full: string[] = []
    for (const { id, name } of subscribers) {
      const added = await trx
        .raw<{ rowCount: number }>(
          `insert into plugin_events (plugin_id, tenant_id, type, payload, hop, trace_id)
             select plugins.id, ?, ?, ?::jsonb, ?, ? from plugins
              where plugins.id = ? and (select count(*) from (select 1 from plugin_events
                      where plugin_id = ? and tenant_id = ? and state = 'queued' limit ?) waiting) < ?
                for key share of plugins`,
          [tenantId, type, JSON.stringify(payload ?? null), hop, traceId || null, id].concat([
            id,
            tenantId,
            QUEUE_LENGTH,
            QUEUE_LENGTH,
          ]),
        )
        .queryContext(everybody)
      if (added.rowCount > 0) continue
      if (name === plugin) throw new EventQueueFullError({ plugin: name }, { headers: { 'retry-after': '1' } })
      full.push(name)
    }
    return full
  }

  /**
   * Takes the first event of queues whose plugin runs here and has room, as many in all; an event that another host has taken
   * holds its queue.
   */
  async take(room: ReadonlyMap<number, number>, most: number): Promise<readonly QueuedEvent[]> {
    if (room.size === 0) return []
    const taken = await this.#db
      .raw<{ rows: EventRow[] }>(
        `update plugin_events set attempts = attempts + 1, leased_until = now() + interval '${LEASE}'
          where id in (
            select first.id from unnest(?::int[], ?::int[]) as plugin (id, room)
             cross join lateral (
               select event.id from plugin_events event
                where event.state = 'queued' and event.plugin_id = plugin.id and event.not_before <= now()
                  and (event.leased_until is null or event.leased_until < now())
                  and not exists (select 1 from plugin_events older
                        where older.plugin_id = event.plugin_id and older.tenant_id = event.tenant_id
                          and older.state = 'queued' and older.id < event.id)
                order by event.id limit plugin.room for update skip locked) first
             limit ?)
         returning *`,
        [[...room.keys()], [...room.values()], most],
      )
      .queryContext(everybody)
    return taken.rows.map(presentEvent)
  }

  /** Says that these deliveries still go on, for as long as they do. */
  async renew(events: readonly QueuedEvent[]): Promise<void> {
    if (events.length === 0) return
    await this.#db
      .raw(
        `update plugin_events set leased_until = now() + interval '${LEASE}'
           from unnest(?::bigint[], ?::int[]) as held (id, attempts)
          where plugin_events.id = held.id and plugin_events.attempts = held.attempts and leased_until is not null`,
        [events.map(({ id }) => id), events.map(({ attempts }) => attempts)],
      )
      .queryContext(everybody)
  }

  /** The event was delivered. */
  async done(event: QueuedEvent): Promise<void> {
    await this.#held(event).delete()
  }

  /** The event comes again later, its queue waiting behind it, or is set aside when that makes no sense any more. */
  async failed(event: QueuedEvent, error: string, { retry }: { retry: boolean }): Promise<void> {
    const isOver = !retry || event.attempts >= ATTEMPTS
    await this.#held(event).update({
      leased_until: null,
      error,
      ...(isOver ? { state: 'failed' } : { not_before: this.#in(2 ** event.attempts) }),
    })
  }

  /** The plugin could not be asked: the event comes again in so many seconds, and that was no attempt. */
  async postponed(event: QueuedEvent, seconds: number): Promise<void> {
    await this.#held(event).update({
      leased_until: null,
      not_before: this.#in(seconds),
      attempts: this.#db.raw('attempts - 1'),
    })
  }

  /** Deletes what was set aside long ago. */
  async sweep(): Promise<void> {
    await this.#db('plugin_events')
      .queryContext(everybody)
      .where('state', 'failed')
      .whereRaw(`occurred_at < now() - interval '${KEEP_FAILED}'`)
      .delete()
  }

  /** The event as this host took it: nothing is written when another has taken it over meanwhile. */
  #held({ id, attempts }: QueuedEvent) {
    return this.#db('plugin_events').queryContext(everybody).where({ id, attempts, state: 'queued' })
  }

  #in(seconds: number): Knex.Raw {
    return this.#db.raw('now() + make_interval(secs => ?)', [seconds])
  }
}

interface EventRow {
  readonly id: string
  readonly plugin_id: number
  readonly tenant_id: number
  readonly type: string
  readonly payload: unknown
  readonly hop: number
  readonly trace_id: string | null
  readonly attempts: number
  readonly occurred_at: Date
}

function presentEvent(row: EventRow): QueuedEvent {
  return {
    id: row.id,
    pluginId: row.plugin_id,
    tenantId: row.tenant_id,
    type: row.type,
    payload: row.payload,
    hop: row.hop,
    traceId: row.trace_id ?? undefined,
    attempts: row.attempts,
    occurredAt: row.occurred_at,
  }
}
