// @both-back-ends
import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import { Model } from 'objection'
import { openDatabase, type Database } from '../../../kernel/data/database.ts'
import { surroundingsError } from '../../../kernel/data/surroundings.ts'
import { allowTime } from '../../../kernel/data/transaction-time.ts'
import { createTestDatabase, type TestDatabase } from '../../support/cluster.ts'
import { silentLog } from '../../support/kernel.ts'
import { serverOf, startTcpProxy, type Rule, type TcpProxy } from '../../support/tcp-proxy.ts'

const template = {
  name: 'transactions-test',
  prepare: (db: Knex) => db.schema.createTable('notes', (table) => void table.text('text')),
}
const unknown = { code: 5036, reason: 'outcome_unknown' }
const unavailable = { code: 5030, reason: 'database_unavailable' }

describe('the end of a transaction', () => {
  let test: TestDatabase
  let wire: TcpProxy
  let database: Database
  beforeEach(async () => {
    test = await createTestDatabase(template)
    wire = await startTcpProxy(serverOf(test.url))
    database = await openDatabase({ url: wire.through(test.url), poolSize: 2, log: silentLog })
  })
  afterEach(async () => {
    await database[Symbol.asyncDispose]()
    await wire[Symbol.asyncDispose]()
    await test[Symbol.asyncDispose]()
  })

  const note = (db: Knex, text: string): Promise<unknown> => db('notes').insert({ text })
  const texts = async (): Promise<string[]> => {
    wire.heal()
    return database.knex('notes').orderBy('text').pluck('text')
  }
  const cutAt =
    (words: string): Rule =>
    (piece, from) =>
      from === 'client' && piece.includes(words) ? 'reset' : 'pass'

  it('comes by itself when its host stands still in it, and frees its locks', async () => {
    await using patient = await openDatabase({ url: test.url, poolSize: 2, log: silentLog, idleTransactionMs: 200 })
    const standing = await patient.knex.transaction()
    await standing.raw('lock table notes')
    await note(database.knex, 'after')
    await assert.rejects(standing('notes').select(), unavailable)
    await standing.rollback().catch(() => undefined)
  })

  it('may be further off for one that takes its time, and is no nearer for one that is short of it', async () => {
    const pauses = await database.knex.transaction(async (trx) => {
      const pause = async (milliseconds: number): Promise<string> => {
        await allowTime(trx, milliseconds)
        const { rows } = await trx.raw<{ rows: [{ pause: string }] }>(
          `select current_setting('idle_in_transaction_session_timeout') as pause`,
        )
        return rows[0].pause
      }
      return [await pause(60_000), await pause(5_000)]
    })
    assert.deepEqual(pauses, ['1min', '25s'])
  })

  it('that comes for want of time is told as such through a model, too', async () => {
    class Note extends Model {
      static override tableName = 'notes'
    }
    await using hasty = await openDatabase({ url: test.url, poolSize: 2, log: silentLog, statementMs: 200 })
    const other = await database.knex.transaction()
    await other.raw('lock table notes')
    await assert.rejects(
      async () => Note.query(hasty.knex),
      (error: unknown) => surroundingsError(error)?.code === 5030,
    )
    await other.rollback()
  })

  it('is unknown when the connection is lost at COMMIT, to those who begin and commit by hand too', async () => {
    wire.follow(cutAt('COMMIT'))
    await assert.rejects(
      database.knex.transaction((trx) => note(trx, 'a')),
      unknown,
    )
    const byHand = await database.knex.transaction()
    await note(byHand, 'b')
    await assert.rejects(byHand.commit(), unknown)
    assert.deepEqual(await texts(), [])
  })

  it('is a failure when the server answers COMMIT with ROLLBACK, to those who commit by hand too', async () => {
    const failed = { code: 5001, reason: 'transaction_failed' }
    const half = async (trx: Knex): Promise<void> => {
      await note(trx, 'half')
      await assert.rejects(trx.raw('select 1 / 0'))
    }
    await assert.rejects(database.knex.transaction(half), failed)
    const byHand = await database.knex.transaction()
    await half(byHand)
    await assert.rejects(byHand.commit(), failed)
    assert.deepEqual(await texts(), [])
  })

  it('keeps what was written around a failure that was undone to a savepoint', async () => {
    await database.knex.transaction(async (trx) => {
      await note(trx, 'before')
      await assert.rejects(trx.transaction((inner) => inner.raw('select 1 / 0')))
      const inner = await trx.transaction()
      await note(inner, 'inside')
      await inner.commit()
      await note(trx, 'after')
    })
    assert.deepEqual(await texts(), ['after', 'before', 'inside'])
  })

  it('hears of a savepoint that cannot be released', async () => {
    await database.knex.transaction(async (trx) => {
      const inner = await trx.transaction()
      await assert.rejects(inner.raw('select 1 / 0'))
      await assert.rejects(inner.commit(), { code: '25P02' })
      await trx.rollback()
    })
  })

  it('is known when the connection was lost before: nothing was kept', async () => {
    wire.follow(cutAt('insert'))
    await assert.rejects(
      database.knex.transaction((trx) => note(trx, 'a')),
      unavailable,
    )
    assert.deepEqual(await texts(), [])
  })

  it('is the statement’s own where there is no transaction: unknown of what writes, known of what reads', async () => {
    wire.follow(cutAt('notes'))
    await assert.rejects(note(database.knex, 'a'), unknown)
    await assert.rejects(
      database.knex.raw(`with told as (insert into notes values ('b') returning 1) select * from told`),
      unknown,
    )
    await assert.rejects(database.knex('notes').select(), unavailable)
    await assert.rejects(database.knex.raw('with told as (select * from notes) select * from told'), unavailable)
    assert.deepEqual(await texts(), [])
  })

  it('is not available, and nobody’s mistake, when the server ends the session', async () => {
    await assert.rejects(database.knex.raw('select pg_terminate_backend(pg_backend_pid())'), unavailable)
    assert.deepEqual(await texts(), [])
  })
})
