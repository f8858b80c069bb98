import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { raw } from 'objection'
import type { SecretBox } from '#kernel'
import type { DeliveryChange } from '../contract.ts'
import { DeliveryChangeRow } from '../models.ts'

/** How long a change stands against whoever is above its writer. */
const recent = '24 hours'
/** Messages that travel as before are delivered or given up long before that. */
const kept = '3 days'

/** The settings that messages travelled by. */
export type FormerSettings = Readonly<Record<string, unknown>>

/** Which changes there were of how messages reach people. */
export class DeliveryLog {
  readonly #db: Knex
  readonly #secrets: SecretBox

  constructor(db: Knex, secrets: SecretBox) {
    this.#db = db
    this.#secrets = secrets
  }

  /** Writes a change down, with the settings before it, and answers it with its id. */
  async add(
    { part, tenantId, by }: Omit<DeliveryChange, 'id'>,
    former: FormerSettings | undefined,
    trx: Knex.Transaction,
  ): Promise<DeliveryChange> {
    const id = randomUUID()
    const sealed = former ? this.#secrets.seal(JSON.stringify(former)) : null
    const writer = { byTenantId: by?.tenantId ?? null, byUserId: by?.userId ?? null }
    await DeliveryChangeRow.of(tenantId, trx).insert({ id, part, ...writer, former: sealed })
    return { id, part, tenantId, by }
  }

  /** The changes of the last day that messages of a tenant meet, everybody's included. */
  async recent(tenantId: number): Promise<readonly DeliveryChange[]> {
    const rows = await DeliveryChangeRow.acrossTenants(this.#db)
      .whereIn('tenant_id', [0, tenantId])
      .where('changed_at', '>', raw(`now() - interval '${recent}'`))
    return rows.map(toChange)
  }

  /** The settings before a change; undefined when it is long ago, or no settings changed. */
  async before(id: string): Promise<FormerSettings | undefined> {
    const row = await DeliveryChangeRow.acrossTenants(this.#db).findById(id)
    return row?.former ? (JSON.parse(this.#secrets.open(row.former)) as FormerSettings) : undefined
  }

  /** Deletes what a tenant that is gone changed. */
  async deleteAll(tenantId: number): Promise<void> {
    await DeliveryChangeRow.of(tenantId, this.#db).delete()
  }

  /** Deletes what is too old to matter. */
  async sweep(): Promise<void> {
    await DeliveryChangeRow.acrossTenants(this.#db)
      .delete()
      .where('changed_at', '<', raw(`now() - interval '${kept}'`))
  }
}

function toChange({ id, part, tenantId, byTenantId, byUserId }: DeliveryChangeRow): DeliveryChange {
  const by = byTenantId === null || byUserId === null ? null : { tenantId: byTenantId, userId: byUserId }
  return { id, part, tenantId, by }
}
