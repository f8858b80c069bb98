import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Api, Body } from '../../support/api.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { createTenant, dataOf, type Platform } from '../../support/platform.ts'
import { makeAgent, startWithDemo } from '../agents/world.ts'
import { makeBase } from '../knowledge/world.ts'
import { createOrg } from './support.ts'

describe('the log of writes, read by people', () => {
  let platform: Platform
  before(async () => (platform = await startWithDemo()))
  after(() => platform[Symbol.asyncDispose]())

  async function named(by: Api, area: 'admin' | 'tenant', target: string): Promise<readonly unknown[]> {
    const lines = dataOf(await by.get(`/${area}/audit-logs?target=${target}`))['items'] as unknown as readonly Body[]
    return lines.map((line) => line['target_name'])
  }

  it('names what was written to as it is called now, and as it was called when it is gone', async () => {
    const { owner, id: tenantId } = await createTenant(platform.admin, 'named')
    const role = Number(dataOf(await owner.post('/tenant/roles', { code: 'clerk', name: 'Clerk' }), 201)['id'])
    dataOf(await owner.put(`/tenant/roles/${role}`, { name: 'Head clerk' }))
    const org = await createOrg(owner, 'North')
    const user = Number(
      dataOf(await owner.post('/tenant/users', { email: 'a@b.test', nickname: 'Ann', roles: ['tenant_user'] }), 201)[
        'id'
      ],
    )
    const base = await makeBase(owner, { name: 'Handbook' })
    assert.deepEqual(await named(owner, 'tenant', `role:${role}`), ['Head clerk', 'Head clerk'])
    assert.deepEqual(await named(owner, 'tenant', `org:${org}`), ['North'])
    assert.deepEqual(await named(owner, 'tenant', `user:${user}`), ['Ann'])
    assert.deepEqual(await named(owner, 'tenant', `knowledge_base:${base}`), ['Handbook'])
    assert.equal((await named(platform.admin, 'admin', `tenant:${tenantId}`)).at(-1), 'named')
    dataOf(await owner.delete(`/tenant/roles/${role}`))
    assert.deepEqual(await named(owner, 'tenant', `role:${role}`), ['Head clerk', 'Head clerk', 'Clerk'])
  })

  it('names plugins and groups of settings in the reader’s language', async () => {
    const { admin } = platform
    const title = { default: 'Greeter', 'zh-CN': '问候' }
    await installAndEnable(admin, await packSmall('acme.greeter', { title }))
    dataOf(await admin.put('/admin/configs/groups/platform_basic', { site_name: 'Acme' }))
    const last = async (target: string, locale: string) => {
      const answer = await admin.get(`/admin/audit-logs?target=${target}`, { headers: { 'accept-language': locale } })
      return (dataOf(answer)['items'] as unknown as readonly Body[])[0]?.['target_name']
    }
    assert.equal(await last('plugin:acme.greeter', 'en'), 'Greeter')
    assert.equal(await last('plugin:acme.greeter', 'zh-CN'), '问候')
    const group = dataOf(await admin.get('/admin/configs/groups/platform_basic'))['group'] as unknown as Body
    assert.equal(await last('config:platform_basic', 'en'), group['name'])
  })

  it('names agents, and nothing of another tenant', async () => {
    const { owner } = await createTenant(platform.admin, 'first')
    const { owner: other } = await createTenant(platform.admin, 'second')
    const agent = await makeAgent(owner, { name: 'Helper' })
    assert.deepEqual([...new Set(await named(owner, 'tenant', `ai_agent:${agent}`))], ['Helper'])
    assert.deepEqual(await named(other, 'tenant', `ai_agent:${agent}`), [])
  })
})
