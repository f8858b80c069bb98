import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import { CanaryWatch } from '../../../../core-plugins/ai/health/canaries/canary-watch.ts'
import type { CallRecord } from '../../../../core-plugins/ai/relay/call-record.ts'

describe('the watch over canaries', () => {
  it('counts attempts with providers of whom the model is, and not those that a tenant led to its own', async () => {
    const canary = { modelId: 'm', version: 2, canary: 2, tenantId: 0, abortIfErrorRate: 0.5 }
    const catalogue = {
      canary: () => canary,
      provider: (id: string) => ({ tenantId: id === 'platform' ? 0 : 7 }),
      gateway: { breaker: { minRequests: 1 } },
    }
    let written = 0
    const db = ((): never => {
      written += 1
      throw new Error('counted')
    }) as unknown as Knex
    const watch = new CanaryWatch({ db, catalogue: () => catalogue as never, abort: () => Promise.resolve() })
    const call = (providerId: string): CallRecord =>
      ({ attempts: [{ modelId: 'm', modelVersion: 2, providerId, class: 'server_error' }] }) as unknown as CallRecord
    watch.note(call('tenant'))
    await watch.flush()
    assert.equal(written, 0)
    watch.note(call('platform'))
    await assert.rejects(watch.flush(), /counted/)
  })
})
