import assert from 'node:assert/strict'
import { mock } from 'node:test'
import type { Scope } from '#kernel'
import type { ConfigReader } from '../../../core-plugins/config/contract.ts'
import { startResolver } from '../../../core-plugins/tenants/resolver.ts'
import type { TenantStore } from '../../../core-plugins/tenants/store.ts'

const nothing = { [Symbol.dispose]: () => undefined }
const scope = { on: () => nothing, onChanges: () => nothing } as unknown as Scope

describe('what is kept of tenants that were found, by a clock that the test turns', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now: 1_000_000 }))
  afterEach(() => mock.timers.reset())

  it('is kept for a minute, and not a moment beyond the end of their time', async () => {
    const expiresAt = new Date(Date.now() + 90_000)
    const find = mock.fn(() =>
      Promise.resolve({ id: 7, expiresAt, status: Date.now() < 1_090_000 ? 'active' : 'expired' }),
    )
    const resolver = startResolver(scope, { find } as unknown as TenantStore, {} as ConfigReader)
    const seen: unknown[] = []
    for (const passed of [0, 59_999, 1, 29_999, 1]) {
      mock.timers.tick(passed)
      seen.push([(await resolver.byId(7))?.status, find.mock.callCount()])
    }
    assert.deepEqual(seen, [
      ['active', 1],
      ['active', 1],
      ['active', 2],
      ['active', 2],
      ['expired', 3],
    ])
  })
})
