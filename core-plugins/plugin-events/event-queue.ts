import type { Said } from '#kernel'
import type { PublishedEvent } from '#sandbox'
import type { Knex } from 'knex'
import { EventQueueFullError } from './errors.ts'

/** Events that may wait for one plugin and tenant; one tenant cannot fill the queue of others. */
const queueLength = 1_000
/** After so many attempts an event is set aside and those behind it go on. */
const mostAttempts = 8
/** Set aside for so long, for whoever looks into it. */
const keepFailed = '7 days'
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

/** The events of a plugin for a tenant (0 = the platform), which come one after the other. */
export interface EventLine {
  readonly pluginId: number
  readonly tenantId: number
}

/** An event that waits for a plugin. */
export interface QueuedEvent extends EventLine {
  readonly id: string
  readonly type: string
  readonly payload: unknown
  readonly hop: number
  readonly traceId: string | undefined
  readonly attempts: number
  readonly occurredAt: Date
}

/** The first event of a line, which is now being delivered; or in how many milliseconds it may be; or that there is none. */
export type Next = { readonly event: QueuedEvent } | { readonly waits: number } | 'none'

/** Where events queue up: each reaches each plugin at least once, in order per plugin and tenant. */
export class EventQueue {
  readonly #db: Knex

  constructor(db: Knex) {
    this.#db = db
  }

  /**
   * Queues an event for plugins. Throws 429/4299 when the publisher's own queue is full; answers the others whose queue has no
   * room, who miss it: who does not keep up holds nobody else up.
   */
  async add(
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
            queueLength,
            queueLength,
          ]),
        )
        .queryContext(everybody)
      if (added.rowCount > 0) continue
      if (name === plugin) throw new EventQueueFullError({ plugin: name }, { headers: { 'retry-after': '1' } })
      full.push(name)
    }
    return full
  }

  /** The tenants for which events of a plugin wait. */
  async tenantsOf(db: Knex, pluginId: number): Promise<readonly number[]> {
    return db('plugin_events')
      .queryContext(everybody)
      .where({ plugin_id: pluginId, state: 'queued' })
      .distinct()
      .pluck<number[]>('tenant_id')
  }

  /** Takes the first event of a line; for whoever has the line to itself. */
  async first({ pluginId, tenantId }: EventLine, db = this.#db): Promise<Next> {
    const { rows } = await db
      .raw<{ rows: TakenRow[] }>(`with ${taking('')} ${taken}`, { pluginId, tenantId })
      .queryContext(everybody)
    return nextOf(rows)
  }

  /** The event was delivered: takes the next of its line. Undefined when it was somebody else's by now, or is gone. */
  async doneAndNext({ id, attempts, pluginId, tenantId }: QueuedEvent): Promise<Next | undefined> {
    const { rows } = await this.#db
      .raw<{ rows: (TakenRow & { is_done: boolean })[] }>(
        `with done as (
           delete from plugin_events where id = :id and attempts = :attempts and state = 'queued' returning id
         ), ${taking('and id <> :id and exists (select from done)')}
         select exists (select from done) as is_done, next.* from (select) as one left join (${taken}) next on true`,
        { id, attempts, pluginId, tenantId },
      )
      .queryContext(everybody)
    return rows[0]?.is_done ? nextOf(rows) : undefined
  }

  /** The event was delivered. */
  async done(event: QueuedEvent): Promise<void> {
    await this.#held(event).delete()
  }

  /**
   * The event comes again later, its line waiting behind it, or is set aside when that makes no sense any more. Answers in how many
   * milliseconds it comes again.
   */
  async failed(event: QueuedEvent, error: Said, { retry }: { retry: boolean }): Promise<number | undefined> {
    const isOver = !retry || event.attempts >= mostAttempts
    const seconds = 2 ** event.attempts
    await this.#held(event).update({
      error: error.words,
      error_said: error.reason === undefined ? null : JSON.stringify(error),
      ...(isOver ? { state: 'failed' } : { not_before: this.#in(seconds) }),
    })
    return isOver ? undefined : seconds * 1_000
  }

  /** The plugin could not be asked: the event comes again in so many seconds, and that was no attempt. */
  async postponed(event: QueuedEvent, seconds: number): Promise<void> {
    await this.#held(event).update({ not_before: this.#in(seconds), attempts: this.#db.raw('attempts - 1') })
  }

  /** Deletes what was set aside long ago. */
  async sweep(): Promise<void> {
    await this.#db('plugin_events')
      .queryContext(everybody)
      .where('state', 'failed')
      .whereRaw(`occurred_at < now() - interval '${keepFailed}'`)
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

const taking = (but: string): string => `head as (
    select id, not_before from plugin_events
     where plugin_id = :pluginId and tenant_id = :tenantId and state = 'queued' ${but} order by id limit 1
  ), taken as (
    update plugin_events set attempts = attempts + 1 from head
     where plugin_events.id = head.id and plugin_events.state = 'queued' and head.not_before <= now()
    returning plugin_events.*
  )`
const taken = `select 1000 * cast(extract(epoch from head.not_before - now()) as float) as waits, taken.*
  from head left join taken on taken.id = head.id`

interface TakenRow {
  readonly id: string | null
  readonly plugin_id: number
  readonly tenant_id: number
  readonly type: string
  readonly payload: unknown
  readonly hop: number
  readonly trace_id: string | null
  readonly attempts: number
  readonly occurred_at: Date
  /** Null when nothing waits. */
  readonly waits: number | null
}

function nextOf([row]: readonly TakenRow[]): Next {
  if (row === undefined || row.waits === null) return 'none'
  if (row.id === null) return { waits: Math.max(1, row.waits) }
  const { id, plugin_id: pluginId, tenant_id: tenantId, type, payload, hop, attempts, occurred_at: occurredAt } = row
  return {
    event: { id, pluginId, tenantId, type, payload, hop, attempts, occurredAt, traceId: row.trace_id ?? undefined },
  }
}
