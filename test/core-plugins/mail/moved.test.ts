import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import * as outgoing from '../../../core-plugins/mail/migrations/0001_outgoing_messages.ts'
import * as moving from '../../../core-plugins/mail/migrations/0003-jobs.ts'
import { openDatabase } from '../../../kernel/data/database.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { silentLog } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'
import { mailPlugins } from './world.ts'

const everybody = { tenant: 'all' }
const hourMs = 3_600_000

describe('a database with messages of an older release', () => {
  it('has them in the queue afterwards: waiting, waiting for another attempt, or given up', async () => {
    await using database = await createTestDatabase(migratedFor(mailPlugins, silentLog))
    await using opened = await openDatabase({ url: database.url, poolSize: 1, log: silentLog })
    const { knex } = opened
    const now = Date.now()
    const common = { tenant_id: 5, payload: 'gAAAA', created_at: new Date(now - hourMs) }
    const later = new Date(now + hourMs)
    const messages = [
      { ...common, id: randomUUID(), not_before: new Date(now - 3), attempts: 1, leased_until: later },
      { ...common, id: randomUUID(), not_before: later, attempts: 2, error: 'later' },
      {
        ...common,
        id: randomUUID(),
        not_before: new Date(now),
        attempts: 5,
        state: 'failed',
        failed_at: new Date(now),
      },
    ]
    const change = { tenant_id: 0, part: 'email', by_tenant_id: 5 }
    const changes = [
      { ...change, id: randomUUID(), by_user_id: 7 },
      { ...change, id: randomUUID(), is_told: true },
    ]
    await knex.transaction(async (trx) => {
      await makeOld(trx)
      for (const each of messages) await trx('outgoing_messages').queryContext(everybody).insert(each)
      for (const each of changes) await trx('mail_delivery_changes').queryContext(everybody).insert(each)
      await moving.up(trx)
    })
    const rows = (await knex('jobs').queryContext(everybody).orderBy('id')) as readonly Record<string, unknown>[]
    assert.deepEqual(
      rows.map(({ kind, tenant_id, payload, state, attempts, error }) => [
        ...[kind, tenant_id, payload, state, attempts, error],
      ]),
      [
        ['mail.deliver', 5, { id: messages[0]!.id, message: 'gAAAA' }, 'waiting', 1, null],
        ['mail.deliver', 5, { id: messages[2]!.id, message: 'gAAAA' }, 'dead', 5, null],
        ['mail.deliver', 5, { id: messages[1]!.id, message: 'gAAAA' }, 'delayed', 2, 'later'],
        [
          ...['mail.tell_change', 0],
          { id: changes[0]!.id, part: 'email', tenantId: 0, by: { tenantId: 5, userId: 7 } },
          ...['waiting', 0, null],
        ],
      ],
    )
    assert.deepEqual([rows[0]!['created_at'], rows[2]!['run_at']], [common.created_at, later])
    assert.equal(Number(rows[1]!['forget_at']) - now, 24 * hourMs)
  })
})

/** The tables as they were. */
async function makeOld(trx: Knex.Transaction): Promise<void> {
  await outgoing.up(trx)
  await trx.schema.alterTable('mail_delivery_changes', (table) => {
    table.boolean('is_told').notNullable().defaultTo(false)
    table.timestamp('leased_until')
  })
}
