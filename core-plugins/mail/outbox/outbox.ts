import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { SecretBox } from '#kernel'
import type { Message } from '../contract.ts'
import { OutgoingMessage } from '../models.ts'

/** A host that took a message and died holds it up for so long; one that lives renews it. */
const lease = '20 seconds'
/** Seconds to wait after each failed attempt; after as many and one more the message is given up. */
const delays = [5, 60, 600, 3_000]
const keepFailed = '1 day'
const everybody = { tenant: 'all' } as const

/** A message that this host has to itself for the time of its lease. */
export interface ClaimedMessage {
  readonly id: string
  readonly tenantId: number
  /** Sealed. */
  readonly payload: string
  readonly attempts: number
  readonly createdAt: Date
}

/** The durable list of messages on their way, shared by all hosts. */
export class Outbox {
  readonly #db: Knex
  readonly #secrets: SecretBox

  constructor(db: Knex, secrets: SecretBox) {
    this.#db = db
    this.#secrets = secrets
  }

  /** Puts a message in, sealed. */
  async add(message: Message, trx?: Knex.Transaction): Promise<void> {
    const payload = this.#secrets.seal(JSON.stringify(message))
    await OutgoingMessage.of(message.tenantId, trx ?? this.#db).insert({ id: randomUUID(), payload })
  }

  /** Takes the messages whose time has come, as many at most; those that another host is delivering stay with it. */
  async claim(most: number): Promise<readonly ClaimedMessage[]> {
    const { rows } = await this.#db
      .raw<{ rows: readonly ClaimedRow[] }>(
        `update outgoing_messages set attempts = attempts + 1, leased_until = now() + interval '${lease}'
          where id in (select id from outgoing_messages
                        where state = 'queued' and not_before <= now()
                          and (leased_until is null or leased_until < now())
                        order by not_before limit ? for update skip locked)
         returning id, tenant_id, payload, attempts, created_at`,
        [most],
      )
      .queryContext(everybody)
    return rows.map(({ tenant_id: tenantId, created_at: createdAt, ...rest }) => ({ ...rest, tenantId, createdAt }))
  }

  /** What was claimed; throws DecryptError when the key ring has lost its key. */
  open({ payload }: ClaimedMessage): Message {
    return JSON.parse(this.#secrets.open(payload)) as Message
  }

  /** Keeps messages for this host, which is still delivering them. */
  async renew(ids: readonly string[]): Promise<void> {
    const leasedUntil = this.#db.raw(`now() + interval '${lease}'`)
    await this.#db('outgoing_messages').queryContext(everybody).whereIn('id', ids).update({ leased_until: leasedUntil })
  }

  /** The message needs nothing more. */
  async done({ id, attempts }: ClaimedMessage): Promise<void> {
    await OutgoingMessage.acrossTenants(this.#db).delete().where({ id, attempts })
  }

  /** The message is tried again later or, when that makes no sense any more, kept as failed; tells which. */
  async failed({ id, attempts }: ClaimedMessage, error: string, isFinal: boolean): Promise<'queued' | 'failed'> {
    const seconds = isFinal ? undefined : delays[attempts - 1]
    const state = seconds === undefined ? 'failed' : 'queued'
    const change =
      seconds === undefined
        ? { failed_at: this.#db.fn.now() }
        : { not_before: this.#db.raw(`now() + make_interval(secs => ?)`, [seconds]) }
    await this.#db('outgoing_messages')
      .queryContext(everybody)
      .where({ id, attempts })
      .update({ state, error, leased_until: null, ...change })
    return state
  }

  /** Deletes the messages of a tenant that is gone; one that is being delivered cannot be called back. */
  async deleteAll(tenantId: number): Promise<void> {
    await OutgoingMessage.of(tenantId, this.#db).delete()
  }

  /** Deletes what was given up a day ago. */
  async sweep(): Promise<void> {
    await OutgoingMessage.acrossTenants(this.#db)
      .delete()
      .where('state', 'failed')
      .whereRaw(`failed_at < now() - interval '${keepFailed}'`)
  }
}

interface ClaimedRow {
  readonly id: string
  readonly tenant_id: number
  readonly payload: string
  readonly attempts: number
  readonly created_at: Date
}
