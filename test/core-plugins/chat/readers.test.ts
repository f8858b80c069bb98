import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import { RateLimitedError, type Bus } from '#kernel'
import { Tails } from '../../../core-plugins/chat/runs/tail.ts'

describe('Readers of runs that another host leads', () => {
  it('are bounded for each run, until one of them leaves', async () => {
    const nothing = { [Symbol.dispose]: () => undefined }
    const bus = { subscribe: () => nothing, onMissed: () => nothing } as unknown as Bus
    using tails = new Tails(undefined as unknown as Knex, bus, () => undefined)
    const read = (id: string) => tails.read({ id, tenantId: 1 }, -1)
    const [first] = Array.from({ length: 8 }, () => read('run_1'))
    assert.throws(() => read('run_1'), RateLimitedError)
    read('run_2')
    await first?.return?.()
    read('run_1')
    assert.throws(() => read('run_1'), RateLimitedError)
  })
})
