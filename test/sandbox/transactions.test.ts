import assert from 'node:assert/strict'
import type { Knex } from 'knex'

import type { CallContext } from '../../sandbox/broker/capability.ts'
import { Transactions } from '../../sandbox/broker/database/transactions.ts'

describe('the transactions of a call that is called again', () => {
  const call = { limits: { transactionMs: 60_000, transactionStatements: 10 } } as CallContext
  /** A database that hands its connections out one by one, and what becomes of each. */
  const slowly = () => {
    const ends: string[] = []
    const waiting: (() => void)[] = []
    const transaction = (): Promise<Knex.Transaction> =>
      new Promise((resolve) => {
        const number = waiting.length
        const end = (how: string) => () => Promise.resolve(ends.push(`${number} ${how}`))
        const trx = { commit: end('commit'), rollback: end('rollback') } as unknown as Knex.Transaction
        waiting.push(() => resolve(trx))
      })
    return { knex: { transaction } as unknown as Knex, ends, give: (number: number) => waiting[number]?.() }
  }

  it('begins when the one of the first attempt is gone, which had not even got its connection', async () => {
    const transactions = new Transactions()
    const { knex, ends, give } = slowly()
    const died = new AbortController()
    const first = transactions.begin(call, knex, died.signal)
    died.abort()
    const second = transactions.begin(call, knex, new AbortController().signal)
    give(0)
    await first
    assert.deepEqual(ends, ['0 rollback'])
    give(1)
    await transactions.commit(call, await second)
    assert.deepEqual(ends, ['0 rollback', '1 commit'])
  })

  it('is refused while the same attempt has one, or waits for one', async () => {
    const transactions = new Transactions()
    const { knex, give } = slowly()
    const { signal } = new AbortController()
    const first = transactions.begin(call, knex, signal)
    await assert.rejects(transactions.begin(call, knex, signal), { message: 'The call has a transaction already' })
    give(0)
    await transactions.commit(call, await first)
  })
})
