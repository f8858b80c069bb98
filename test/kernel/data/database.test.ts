// @both-back-ends
import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import { openDatabase, tenantContext, type Database } from '../../../kernel/data/database.ts'
import { enableTenantRows } from '../../../kernel/data/tenant-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../support/cluster.ts'
import { recordingLog } from '../../support/recording-log.ts'

const template = {
  name: 'database-test',
  async prepare(db: Knex) {
    await db.schema.createTable('notes', (table) => {
      table.increments('id')
      table.integer('tenant_id').notNullable()
      table.text('text').unique()
    })
    await enableTenantRows(db, 'notes')
    for (const tenant of [1, 2]) {
      const row = { tenant_id: tenant, text: `of ${tenant}` }
      await db('notes').insert(row).queryContext(tenantContext(tenant))
    }
  },
}

describe('database', () => {
  let test: TestDatabase
  let database: Database
  let sent: string[]

  beforeEach(async () => {
    test = await createTestDatabase(template)
    database = await open(1)
    sent = []
    database.knex.on('query', (query: { sql: string }) => sent.push(query.sql.split(' ').slice(0, 2).join(' ')))
  })
  afterEach(async () => {
    await database[Symbol.asyncDispose]()
    await test[Symbol.asyncDispose]()
  })

  const open = (poolSize: number, url = test.url): Promise<Database> =>
    openDatabase({ url, poolSize, log: recordingLog().log, acquireTimeoutMs: 500 })
  const texts = (db: Knex, tenant?: number | 'all'): Promise<string[]> => {
    const query = db('notes').orderBy('id').pluck('text')
    return tenant === undefined ? query : query.queryContext(tenantContext(tenant))
  }

  it('shows a tenant its rows, the platform all, and a query without a context none', async () => {
    assert.deepEqual(
      [
        await texts(database.knex, 1),
        await texts(database.knex, 2),
        await texts(database.knex, 'all'),
        await texts(database.knex),
      ],
      [['of 1'], ['of 2'], ['of 1', 'of 2'], []],
    )
  })

  it('tells a connection its tenant only when it changes', async () => {
    for (const tenant of [1, 1, 2, 2]) await texts(database.knex, tenant)
    assert.deepEqual(sent, [
      "select set_config('stoa.tenant_id',",
      'select "text"',
      'select "text"',
      "select set_config('stoa.tenant_id',",
      'select "text"',
      'select "text"',
    ])
  })

  it('refuses rows of another tenant', async () => {
    const insert = database.knex('notes').insert({ tenant_id: 2, text: 'x' }).queryContext(tenantContext(1))
    await assert.rejects(insert, /row-level security/)
    const update = database.knex('notes').update({ tenant_id: 2 }).queryContext(tenantContext(1))
    await assert.rejects(update, /row-level security/)
    assert.equal(await database.knex('notes').delete().queryContext(tenantContext(3)), 0)
  })

  it('keeps two tenants of one transaction apart, at the same time', async () => {
    const seen = await database.knex.transaction((trx) => Promise.all([1, 2, 1].map((tenant) => texts(trx, tenant))))
    assert.deepEqual(seen, [['of 1'], ['of 2'], ['of 1']])
  })

  it('tells again after a rollback', async () => {
    await texts(database.knex, 1)
    await assert.rejects(
      database.knex.transaction(async (trx) => {
        await texts(trx, 2)
        throw new Error('back')
      }),
      /back/,
    )
    assert.deepEqual([await texts(database.knex, 2), await texts(database.knex, 1)], [['of 2'], ['of 1']])
  })

  it('tells again after a rollback to a savepoint', async () => {
    const seen = await database.knex.transaction(async (trx) => {
      await texts(trx, 1)
      await assert.rejects(
        trx.transaction(async (inner) => {
          await texts(inner, 2)
          throw new Error('back')
        }),
      )
      return [await texts(trx, 2), await texts(trx, 1)]
    })
    assert.deepEqual(seen, [['of 2'], ['of 1']])
  })

  it('tells again after the commit of a transaction that had failed', async () => {
    await texts(database.knex, 1)
    const transaction = database.knex.transaction(async (trx) => {
      await texts(trx, 2)
      await assert.rejects(trx.raw('select 1 / 0'))
    })
    await assert.rejects(transaction, { code: 5001, reason: 'transaction_failed' })
    assert.deepEqual(await texts(database.knex, 2), ['of 2'])
  })

  it('tells again after a commit that failed', async () => {
    await database.knex.raw('alter table notes add constraint once unique (id) deferrable initially deferred')
    await texts(database.knex, 1)
    const transaction = database.knex.transaction(async (trx) => {
      const again = { id: 2, tenant_id: 2, text: 'twice' }
      await trx.raw('alter table notes drop constraint notes_pkey')
      await trx('notes').insert(again).queryContext(tenantContext(2))
    })
    await assert.rejects(transaction, { code: '23505' })
    assert.deepEqual([await texts(database.knex, 2), await texts(database.knex, 1)], [['of 2'], ['of 1']])
  })

  it('tells a new connection after the old one was cut', async () => {
    await texts(database.knex, 1)
    await assert.rejects(database.knex.raw('select pg_terminate_backend(pg_backend_pid())'))
    assert.deepEqual(await texts(database.knex, 1), ['of 1'])
  })

  it('refuses what is no tenant id', async () => {
    for (const tenant of [-1, 1.5, Number.NaN, '1', null]) {
      const query = database.knex('notes').queryContext({ tenant })
      await assert.rejects(async () => query, /no tenant id/)
    }
  })

  it('says that the pool is empty, instead of waiting for ever', async () => {
    await database.knex.transaction(async () => {
      await assert.rejects(texts(database.knex, 1), { code: 5030, reason: 'unavailable' })
    })
  })

  it('starts only with a role that row-level security binds and that can make roles', async () => {
    const role = `plain_${process.pid}`
    await database.knex.raw(`create role ${role} login password 'plain'`)
    const url = new URL(test.url)
    url.username = role
    url.password = 'plain'
    try {
      await assert.rejects(open(1, url.href), {
        name: 'StartError',
        message: `The database role ${role} needs CREATEROLE, for the roles of plugins`,
      })
    } finally {
      await database.knex.raw(`drop role ${role}`)
    }
  })

  it('says in one line that nobody answers', async () => {
    await assert.rejects(open(1, 'postgres://stoa:secret@127.0.0.1:1/stoa'), {
      name: 'StartError',
      message: 'The database cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
    })
  })

  it('says of a server that goes away that it is not available', async () => {
    await using other = await createTestDatabase()
    await using gone = await open(1, other.url)
    await other[Symbol.asyncDispose]()
    await assert.rejects(
      async () => {
        await gone.knex.raw('select 1').catch(() => undefined)
        await gone.knex.raw('select 1')
      },
      { code: 5030, reason: 'database_unavailable' },
    )
  })
})
