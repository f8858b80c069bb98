// @both-back-ends
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { openDatabase, type Database } from '../../../kernel/data/database.ts'
import { OperationTakenOverError } from '../../../core-plugins/plugins/shared/errors.ts'
import pluginEvents from '../../../core-plugins/plugin-events/index.ts'
import jobsPlugin from '../../../core-plugins/jobs/index.ts'
import pluginsPlugin from '../../../core-plugins/plugins/index.ts'
import { EventQueue, type Next, type QueuedEvent } from '../../../core-plugins/plugin-events/event-queue.ts'
import { Operation } from '../../../core-plugins/plugins/operations/operation.ts'
import { acquirePluginLock } from '../../../core-plugins/plugins/operations/plugin-lock.ts'
import { createTestDatabase, type TestDatabase } from '../../support/cluster.ts'
import { silentLog } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'

const everybody = { tenant: 'all' } as const

describe('a host that wakes up after another has taken its work over', () => {
  let test: TestDatabase
  let database: Database
  let db: Knex
  let plugin: { readonly id: number; readonly name: string }

  before(async () => {
    test = await createTestDatabase(migratedFor([jobsPlugin, pluginsPlugin, pluginEvents], silentLog))
    database = await openDatabase({ url: test.url, poolSize: 4, log: silentLog })
    db = database.knex
    const about = { name: 'acme.late', version: '1.0.0', tree_hash: 'h', sha256: 's', size: 1, trust: 'verified' }
    const [release] = await db('plugin_releases')
      .insert({ ...about, manifest: '{}', files: '[]' })
      .returning<{ id: number }[]>('id')
    const [row] = await db('plugins')
      .insert({ name: 'acme.late', scope: 'tenant', status: 'enabled', active_release: release?.id, generation: 1 })
      .returning<{ id: number }[]>('id')
    plugin = { id: row?.id ?? assert.fail('no plugin'), name: 'acme.late' }
  })
  after(async () => {
    await database[Symbol.asyncDispose]()
    await test[Symbol.asyncDispose]()
  })

  const rows = (table: string) => db(table).queryContext(everybody).select<Record<string, unknown>[]>()

  describe('with an event', () => {
    const add = (number: number, tenantId = 7) => {
      const event = { type: 'acme.said', tenantId, payload: { number }, hop: 1, traceId: 'x' }
      return db.transaction((trx) => new EventQueue(db).add(trx, event, [plugin]))
    }
    const first = async (tenantId = 7) => eventOf(await new EventQueue(db).first({ pluginId: plugin.id, tenantId }))
    const eventOf = (next: Next | undefined): QueuedEvent =>
      next !== undefined && next !== 'none' && 'event' in next ? next.event : assert.fail('nothing was taken')
    const numberOf = ({ payload, tenantId }: QueuedEvent) => [payload, tenantId]
    afterEach(() => db('plugin_events').queryContext(everybody).delete())

    it('ends, fails and postpones nothing of it, and takes nothing that is behind it', async () => {
      const queue = new EventQueue(db)
      await add(1)
      await add(2)
      const late = await first()
      const present = await first()
      assert.deepEqual([present.id, present.attempts], [late.id, late.attempts + 1])
      const before = await rows('plugin_events')
      await queue.done(late)
      await queue.failed(late, { words: 'late' }, { retry: false })
      await queue.postponed(late, 60)
      assert.equal(await queue.doneAndNext(late), undefined)
      assert.deepEqual(await rows('plugin_events'), before)
      const next = eventOf(await queue.doneAndNext(present))
      assert.deepEqual([next.payload, (await rows('plugin_events')).length], [{ number: 2 }, 1])
      assert.equal(await queue.doneAndNext(next), 'none')
      assert.deepEqual(await rows('plugin_events'), [])
    })

    it('finds those of each tenant in their order, and none while the first waits for another attempt', async () => {
      const queue = new EventQueue(db)
      for (const number of [1, 2]) await add(number)
      await add(3, 8)
      const [one, three] = [await first(), await first(8)]
      assert.deepEqual([one, three].map(numberOf), [
        [{ number: 1 }, 7],
        [{ number: 3 }, 8],
      ])
      assert.equal(await queue.failed(one, { words: 'not yet' }, { retry: true }), 2_000)
      const next = await queue.first(one)
      assert.ok(next !== 'none' && 'waits' in next && next.waits > 500 && next.waits <= 2_000, JSON.stringify(next))
    })
  })

  describe('with an operation', () => {
    const nothingDone = { committed: false, fromRelease: null, step: null, steps: [] } as const
    const facts = { kind: 'disable', actor: null, options: {}, ...nothingDone } as const
    const lockOf = (holder: string, id: string) =>
      acquirePluginLock(db, { plugin: plugin.name, operationId: id, holder }, silentLog)
    const expireLock = (on: Knex) => on('plugin_locks').update('expires_at', db.raw(`now() - interval '1 s'`))

    it('keeps its lock for a whole lifetime after work that took longer than one', async () => {
      const id = randomUUID()
      await using lock = await lockOf('one', id)
      await db('plugin_operations').insert({ id, plugin: plugin.name, kind: 'disable', fencing: lock.fencing })
      const operation = operationOf(id, lock)
      await operation.guarded(async (trx) => void (await expireLock(trx)))
      await assert.rejects(lockOf('two', randomUUID()), { code: 4092 })
    })

    it('neither begins a step nor changes anything', async () => {
      const id = randomUUID()
      const lock = await lockOf('one', id)
      await db('plugin_operations').insert({ id, plugin: plugin.name, kind: 'disable', fencing: lock.fencing })
      const operation = operationOf(id, lock)
      await expireLock(db)
      await using other = await lockOf('two', id)
      await db('plugin_operations').where({ id }).update({ fencing: other.fencing })
      const before = (await db('plugin_operations').where({ id }).first()) as unknown
      let isBegun = false
      const begin = () => Promise.resolve(void (isBegun = true))
      const change = (trx: Knex) => trx('plugins').update({ reason: 'late' })
      await assert.rejects(operation.step('late', begin), OperationTakenOverError)
      await assert.rejects(operation.guarded(change), OperationTakenOverError)
      await lock[Symbol.asyncDispose]()
      const [{ reason } = {}] = await db('plugins').select<{ reason: string | null }[]>('reason')
      assert.deepEqual([isBegun, reason, await db('plugin_operations').where({ id }).first()], [false, null, before])
      await db.transaction((trx) => other.guard(trx))
    })

    function operationOf(id: string, lock: Awaited<ReturnType<typeof lockOf>>): Operation {
      const parts = { db, lock, signal: new AbortController().signal, onStep: () => Promise.resolve() }
      return new Operation({ ...facts, id, plugin: plugin.name, startedAt: new Date() }, parts)
    }
  })
})
