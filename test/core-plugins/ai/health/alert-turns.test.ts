import assert from 'node:assert/strict'
import { fairly } from '../../../../core-plugins/ai/health/alerts/watched.ts'

describe('rules of alerts', () => {
  it('are looked at one of each tenant, then another of each', () => {
    const rules = [7, 7, 7, 7, 8, 9, 9].map((tenantId, id) => ({ tenantId, id }))
    const inTurn = fairly(rules, Math.random)
    const tenants = inTurn.map(({ tenantId }) => tenantId)
    assert.deepEqual(
      [tenants.slice(0, 3).toSorted(), tenants.slice(3)],
      [
        [7, 8, 9],
        [...tenants.slice(3, 5), 7, 7],
      ],
    )
    assert.deepEqual([tenants.slice(3, 5).toSorted(), new Set(inTurn).size], [[7, 9], 7])
  })
})
