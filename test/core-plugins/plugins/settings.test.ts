import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import { errorsOf } from '../../support/configuration.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'

const label = (text: string) => ({ label: { default: text } })
const config = [
  { key: 'currency', type: 'STRING', scope: 'tenant', ...label('Currency'), default: 'EUR', required: true },
  { key: 'account', type: 'STRING', scope: 'tenant', ...label('Account'), required: true },
  { key: 'limit', type: 'NUMBER', scope: 'tenant', ...label('Limit'), default: 5 },
  { key: 'server', type: 'STRING', scope: 'platform', ...label('Server'), required: true },
]

describe('null for a setting of a plugin', () => {
  let platform: Platform
  let owner: Api
  before(async () => {
    platform = await startPlatform()
    const { admin } = platform
    const tenant = await createTenant(admin, 'one')
    owner = tenant.owner
    await installAndEnable(
      admin,
      await packSmall('acme.prices', { capabilities: ['config'], reasons: { config: 'Knows prices.' }, config }),
    )
    dataOf(await admin.post('/plugins/acme.prices/tenants', { tenant_ids: [tenant.id] }))
    dataOf(await owner.post('/tenant/plugins/acme.prices/enable'))
  })
  after(() => platform[Symbol.asyncDispose]())

  const path = '/tenant/plugins/acme.prices/config'

  it('is refused where the setting is required, by name and with whatever else is wrong', async () => {
    dataOf(await owner.put(path, { currency: 'USD', account: '17', limit: 9 }))
    assert.deepEqual(errorsOf(await owner.put(path, { currency: null })), [422, 4222, ['currency required']])
    assert.deepEqual(errorsOf(await owner.put(path, { account: null, currency: 'CHF', limit: 'many' })), [
      422,
      4222,
      ['account required', 'limit type'],
    ])
    const server = await platform.admin.put('/plugins/acme.prices/config', { server: null })
    assert.deepEqual(errorsOf(server), [422, 4222, ['server required']])
    const items = dataOf(await owner.get(path))['items'] as unknown as readonly { key: string; value: unknown }[]
    assert.deepEqual(Object.fromEntries(items.map(({ key, value }) => [key, value])), {
      currency: 'USD',
      account: '17',
      limit: 9,
    })
  })

  it('drops one that is not required, so that its default holds again', async () => {
    const { updated, reset } = dataOf(await owner.put(path, { limit: null, currency: 'CHF' }))
    assert.deepEqual({ updated, reset }, { updated: ['currency'], reset: ['limit'] })
  })
})
