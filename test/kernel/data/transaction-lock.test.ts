// @both-back-ends
import assert from 'node:assert/strict'
import { lockUntilCommit } from '#kernel'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { until } from '../../support/until.ts'

describe('a lock of a transaction', () => {
  let host: TestKernel
  before(async () => {
    host = await startTestKernel({ plugins: [] })
  })
  after(() => host[Symbol.asyncDispose]())

  /** Who got in while a first holder had not ended yet. */
  async function enteredBeside(
    first: 'exclusive' | 'shared',
    others: readonly (readonly ['exclusive' | 'shared', string])[],
  ) {
    const { knex } = host.kernel.database
    const entered: string[] = []
    const holder = await knex.transaction()
    await lockUntilCommit(holder, 'notes.page:1', first)
    const waiting = others.map(async ([mode, name]) =>
      knex.transaction(async (trx) => {
        await lockUntilCommit(trx, name, mode)
        entered.push(`${mode} ${name}`)
      }),
    )
    const isWaiting = async (): Promise<boolean> => {
      const { rows } = await knex.raw<{ rows: { waiting: string }[] }>(
        `select count(*) as waiting from pg_locks join pg_database on pg_database.oid = pg_locks.database
          where locktype = 'advisory' and not granted and datname = current_database()`,
      )
      return Number(rows[0]?.waiting) + entered.length === others.length
    }
    await until(isWaiting)
    const beside = entered.toSorted()
    await holder.commit()
    await Promise.all(waiting)
    return { beside, all: entered.length }
  }

  it('keeps others from its name alone, until the end', async () => {
    const others = [
      ['exclusive', 'notes.page:1'],
      ['shared', 'notes.page:1'],
      ['exclusive', 'notes.page:2'],
    ] as const
    assert.deepEqual(await enteredBeside('exclusive', others), { beside: ['exclusive notes.page:2'], all: 3 })
  })

  it('lets those in who share, and nobody who does not', async () => {
    assert.deepEqual(await enteredBeside('shared', [['shared', 'notes.page:1']]), {
      beside: ['shared notes.page:1'],
      all: 1,
    })
    assert.deepEqual(await enteredBeside('shared', [['exclusive', 'notes.page:1']]), { beside: [], all: 1 })
  })
})
