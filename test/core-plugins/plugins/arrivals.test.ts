// @both-back-ends
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { Knex } from 'knex'
import pluginsPlugin from '../../../core-plugins/plugins/index.ts'
import { acquirePluginLock } from '../../../core-plugins/plugins/operations/plugin-lock.ts'
import { Operations } from '../../../core-plugins/plugins/operations/operations.ts'
import { OperationRow } from '../../../core-plugins/plugins/shared/models.ts'
import { openDatabase, type Database } from '../../../kernel/data/database.ts'
import { createTestDatabase, type TestDatabase } from '../../support/cluster.ts'
import { silentLog } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'
import { until } from '../../support/until.ts'

describe('a package that waits for its plugin', () => {
  const plugin = 'acme.waiting'
  let test: TestDatabase
  let database: Database
  let db: Knex

  before(async () => {
    test = await createTestDatabase(migratedFor([pluginsPlugin], silentLog))
    database = await openDatabase({ url: test.url, poolSize: 4, log: silentLog })
    db = database.knex
  })
  after(async () => {
    await database[Symbol.asyncDispose]()
    await test[Symbol.asyncDispose]()
  })

  it('lets go of the plugin when it is called off as it gets its turn', async () => {
    const nothing = () => Promise.resolve()
    const parts = { db, hostId: 'one', log: silentLog, onStep: nothing, onEnd: nothing }
    await using operations = new Operations(parts, () => Promise.resolve(undefined))
    const busy = { plugin, operationId: crypto.randomUUID(), holder: 'elsewhere' }
    let other: AsyncDisposable | undefined
    let [asked, isOver] = [0, false]
    const run = operations.run(
      {
        ...{ plugin, kind: 'upgrade', actor: null },
        bring: async () => void (other = await acquirePluginLock(db, busy, silentLog)),
        // Asked for once before the package comes, and again as soon as the lock of the plugin is there.
        also: async () => {
          asked++
          if (asked === 2) {
            const [row] = await OperationRow.with(db).where({ plugin, state: 'running' })
            isOver = row !== undefined && (await operations.cancel(row, nothing))
          }
          return []
        },
      },
      nothing,
    )
    const isRefused = assert.rejects(run, { reason: 'plugin_operation_cancelled' })
    await until(async () => (await OperationRow.with(db).where({ plugin, step: 'wait' })).length > 0)
    await other?.[Symbol.asyncDispose]()
    await isRefused
    assert.deepEqual([isOver, asked], [true, 2])
    assert.deepEqual(await db('plugin_locks').select('plugin'), [])
  })

  it("is in nobody's way while it looks whether its turn has come", async () => {
    const nothing = () => Promise.resolve()
    const parts = { db, hostId: 'one', log: silentLog, onStep: nothing, onEnd: nothing }
    await using operations = new Operations(parts, () => Promise.resolve(undefined))
    const used = { plugin: 'acme.using', operationId: crypto.randomUUID(), holder: 'elsewhere' }
    const free = await acquirePluginLock(db, used, silentLog)
    let [asked, dependants] = [0, [] as string[]]
    let other: Promise<AsyncDisposable> | undefined
    const run = operations.run(
      {
        ...{ plugin, kind: 'upgrade', actor: null },
        bring: () => Promise.resolve(void (dependants = [used.plugin])),
        also: async () => {
          asked++
          if (asked === 2) {
            other = acquirePluginLock(db, { plugin, operationId: crypto.randomUUID(), holder: 'one' }, silentLog)
            await Promise.race([other.catch(nothing), wait(300)])
          }
          return dependants
        },
      },
      nothing,
    )
    await until(() => other !== undefined)
    await (await other)?.[Symbol.asyncDispose]()
    await free[Symbol.asyncDispose]()
    await run
    assert.deepEqual(await db('plugin_locks').select('plugin'), [])
  })
})
