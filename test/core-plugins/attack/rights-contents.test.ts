import assert from 'node:assert/strict'
import type { Answer, Api, Body } from '../../support/api.ts'
import { textOf } from '../../support/attachments.ts'
import { createTenant, createUser, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { signedInLongAgo } from '../../support/old-session.ts'
import { createAdministrator } from './lifecycle-world.ts'

const logs = '/admin/ai/health/logs'
const secret = 'the merger is in May'
const password = 'a long enough passphrase'

describe('attack: reading what tenants say and keep as an operator', () => {
  let platform: Platform
  let admin: Api
  let tenant: { readonly owner: Api; readonly id: number }

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    tenant = await createTenant(admin, 'said')
  })
  after(() => platform[Symbol.asyncDispose]())

  const outcome = ({ status, body }: Answer) => `${status} ${body['code'] as unknown as number}`
  const itemsOf = async (api: Api, path: string) => dataOf(await api.get(path))['items'] as unknown as readonly Body[]
  const told = async (action: string) => {
    const query = `audit-logs?limit=100&action=${action}`
    const ofPlatform = await itemsOf(admin, `/admin/${query}`)
    const ofTenant = await itemsOf(tenant.owner, `/tenant/${query}`)
    return [ofPlatform.map(({ after }) => after), ofTenant.map(({ target, actor }) => [target, actor?.['scope']])]
  }

  /** Somebody with a role of the platform, freshly signed in. */
  async function hire(role: string): Promise<Api> {
    const user = { email: `${role}@stoa.test`, password }
    dataOf(await admin.post('/admin/users', { ...user, roles: [role] }), 201)
    const credentials = { account: user.email, password }
    return admin.as(dataOf(await admin.post('/admin/auth/login/json', credentials))['access_token'])
  }

  /** The highest administrator, whose sign-in is an hour old. */
  function stale(): Promise<Api> {
    return signedInLongAgo(platform.host, 'admin@stoa.test', password)
  }

  it('in AI requests is for the highest role, freshly signed in, and stands in the log of the tenant', async () => {
    dataOf(await admin.put('/admin/ai/gateway', { logging: { payloads: 'all' } }))
    dataOf(await tenant.owner.put('/tenant/configs/groups/tenant_ai', { ai_keep_payloads: true }))
    const provider = { code: 'demo', name: 'Demo', type: 'demo' }
    const provider_id = textOf(dataOf(await tenant.owner.post('/admin/ai/providers', provider), 201)['id'])
    const model = { name: 'echo', kind: 'chat', provider_id, upstream_model: 'demo' }
    dataOf(await tenant.owner.post('/admin/ai/models', model), 201)
    const key = textOf(dataOf(await tenant.owner.post('/admin/ai/api-keys', { name: 'said' }), 201)['key'])
    const asked = await fetch(`${platform.host.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: secret }] }),
    })
    assert.equal(asked.status, 200, await asked.text())
    await until(async () => JSON.stringify(await itemsOf(tenant.owner, logs)).includes(secret))
    // One's own words are nobody's business but the tenant's.
    assert.deepEqual(await told('ai_payload.read'), [[], []])

    for (const role of ['platform_admin', 'platform_operator', 'platform_auditor']) {
      assert.doesNotMatch(JSON.stringify(await itemsOf(await hire(role), logs)), /payload/, role)
    }
    assert.deepEqual(await told('ai_payload.read'), [[], []])

    assert.doesNotMatch(JSON.stringify(await itemsOf(await stale(), logs)), /payload/)

    assert.match(JSON.stringify(await itemsOf(admin, logs)), new RegExp(secret))
    assert.deepEqual(await told('ai_payload.read'), [[{ tenant_ids: [tenant.id] }], [['ai_request_log', 'platform']]])
  })

  it('in knowledge bases stands in the log of the tenant', async () => {
    const base = textOf(dataOf(await tenant.owner.post('/admin/ai/knowledge-bases', { name: 'kept' }), 201)['id'])
    const path = `/admin/ai/knowledge-bases/${base}`
    dataOf(await tenant.owner.post(`${path}/documents`, { title: 'plan', text: secret }), 201)
    const search = async (by: Api) => JSON.stringify(dataOf(await by.post(`${path}/search`, { query: 'merger' })))
    await until(async () => (await search(tenant.owner)).includes(secret))
    assert.deepEqual(await told('knowledge_base.searched'), [[], []])
    assert.match(await search(admin), new RegExp(secret))
    const ofPlatform = [{ tenant_ids: [tenant.id] }]
    assert.deepEqual(await told('knowledge_base.searched'), [ofPlatform, [[`knowledge_base:${base}`, 'platform']]])
  })

  it('by a scanner of one’s own that is sent all files is refused to every role below the highest', async () => {
    const group = '/admin/configs/groups/platform_attachment_scan'
    const scanner = { attachment_scan_mode: 'clamd', attachment_scan_address: '203.0.113.9:3310' }
    const keeper = await createAdministrator(admin, 'scans', ['platform_config:detail', 'platform_config:update'])
    const others = [{ attachment_scan_when_away: 'allow' }, { attachment_scan_away_minutes: 1 }]
    const bounds = [{ attachment_scan_max_mb: 1 }, { attachment_scan_timeout_seconds: 1 }]
    for (const change of [scanner, ...others, { attachment_scan_too_large: 'allow' }, ...bounds]) {
      assert.equal(outcome(await keeper.put(group, change)), '403 4031', JSON.stringify(change))
    }
    dataOf(await keeper.put('/admin/configs/groups/platform_ai_usage', { ai_usage_retention_days: 90 }))
    const user = await createUser(tenant.owner, 'said', ['tenant_config:update'])
    assert.equal(outcome(await user.put(group, scanner)), '403 4033')
    assert.equal(outcome(await (await stale()).put(group, scanner)), '401 4018')
    dataOf(await admin.put(group, scanner))
  })
})
