import assert from 'node:assert/strict'
import { seedDemo } from '../../../core-plugins/ai/demo-seed.ts'
import type { Body } from '../../support/api.ts'
import { dataOf, startPlatform } from '../../support/platform.ts'

describe('a fresh installation', () => {
  it('has a model that answers without a key and calls tools, which stays away once it was deleted', async () => {
    await using platform = await startPlatform({ env: { STOA_DEMO: '1' } })
    const { admin, host } = platform
    const listed = async (what: string): Promise<Body[]> =>
      dataOf(await admin.get(`/admin/ai/${what}`))['items'] as unknown as Body[]
    const [provider] = await listed('providers')
    assert.deepEqual([provider?.['type'], provider?.['scope']], ['demo', 'platform'])
    assert.match(JSON.stringify(provider?.['name']), /Demo/)
    assert.deepEqual(
      (await listed('models?sort=name')).map(({ name }) => name),
      ['demo', 'demo-embedding'],
    )
    const id = provider?.['id'] as unknown as string
    const test = { level: 'tools', model: 'stoa-demo' }
    const result = dataOf(await admin.post(`/admin/ai/providers/${id}/test`, test))
    assert.equal(result['ok'], true, JSON.stringify(result))
    assert.equal((await admin.delete(`/admin/ai/providers/${id}`)).status, 409)
    dataOf(await admin.delete(`/admin/ai/providers/${id}?force=true`))
    await seedDemo(host.kernel.database.knex)
    assert.deepEqual(await listed('providers'), [])
  })
})
