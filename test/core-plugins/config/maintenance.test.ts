import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { tenantConfigWorkflow } from '../../../core-plugins/config/contract.ts'
import type { Answer } from '../../support/api.ts'
import { admin, dump, itemsOf, owner, plugins } from '../../support/configuration.ts'
import { startTestKernel } from '../../support/kernel.ts'
import { platformToken, tenantToken } from '../../support/plain-identity.ts'

describe('defaults that are stored', () => {
  it('become a tenant’s own at its first access, where the operator wants it, and no later default moves them', async () => {
    await using host = await startTestKernel({ plugins, env: { CONFIG_MATERIALISE_DEFAULTS: '1' } })
    const security = '/tenant/configs/groups/tenant_security'
    const setDefault = (value: number): Promise<unknown> =>
      host.api.put('/admin/configs/groups/tenant_security', { session_timeout: value }, { token: admin })
    const shown = async (): Promise<unknown> => {
      const item = itemsOf(await host.api.get(security, { token: owner }))['session_timeout']
      return [item?.['value'], item?.['source'], item?.['is_set']]
    }
    await setDefault(600)
    assert.deepEqual(await shown(), [600, 'tenant', true])
    await setDefault(700)
    assert.deepEqual(await shown(), [600, 'tenant', true])
    await host.api.put(security, { reset: ['session_timeout'] }, { token: owner })
    assert.deepEqual(await shown(), [700, 'platform', false])
    assert.equal((await host.api.put(security, { session_timeout: 60 }, { token: owner })).status, 200)
  })

  it('are not stored otherwise', async () => {
    await using host = await startTestKernel({ plugins })
    await host.api.get('/tenant/configs/groups/tenant_security', { token: owner })
    assert.deepEqual(await dump(host), [])
  })
})

describe('the one way of tenants’ writes', () => {
  it('takes writers of one tenant one after the other', async () => {
    await using host = await startTestKernel({ plugins, poolSize: 4 })
    const workflow = host.kernel.services.get(tenantConfigWorkflow)
    const options = { actor: null }
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const values = { icp: `writer ${index}` }
        return workflow.submit({ groupCode: 'tenant_basic', tenantId: 5, values, options })
      }),
    )
    const last = itemsOf(await host.api.get('/tenant/configs/groups/tenant_basic', { token: owner }))['icp']?.['value']
    assert.ok(results.every(({ updated }) => updated.length === 1))
    const { body } = await host.api.get('/tenant/audit-logs', { token: tenantToken(5, '*:*') })
    const lines = body['data']?.['items'] as unknown as readonly { before: object; after: object }[]
    assert.deepEqual([lines.length, lines[0]?.after], [12, { icp: last }])
    // Each began from what the one before it left.
    for (const [index, line] of lines.slice(0, -1).entries()) assert.deepEqual(line.before, lines[index + 1]?.after)
  })
})

describe('keys for the ring', () => {
  it('are new each time, for the platform alone, and leave a line in its log', async () => {
    await using host = await startTestKernel({ plugins })
    const make = (path: string, token: string): Promise<Answer> => host.api.post(path, undefined, { token })
    const first = await make('/admin/configs/generate-fernet-key', admin)
    const second = await make('/configs/generate-fernet-key', admin)
    const keys = [first, second].map(({ body }) => body['data']?.['key'] as unknown as string)
    assert.deepEqual([first.status, first.headers['cache-control'], new Set(keys).size], [200, 'no-store', 2])
    for (const key of keys) assert.match(key, /^[\w-]{43}=$/)
    assert.equal((await make('/configs/generate-fernet-key', owner)).body['code'], 4033)
    const { body } = await host.api.get('/admin/audit-logs', { token: platformToken('*:*') })
    const lines = body['data']?.['items'] as unknown as readonly { action: string }[]
    assert.deepEqual(
      lines.map(({ action }) => action),
      ['config.key_generated', 'config.key_generated'],
    )
    for (const key of keys) assert.ok(!JSON.stringify(body).includes(key))
  })
})
