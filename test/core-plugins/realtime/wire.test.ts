// @both-back-ends
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { compileSchemaCheck, permissionRegistry, type EventRef } from '#kernel'
import { aiAlertRaised, aiAlertResolved } from '../../../core-plugins/ai/contract.ts'
import { aiQuotaWarned, aiReportReady } from '../../../core-plugins/ai-ledger/contract.ts'
import { jobsDied } from '../../../core-plugins/jobs/contract.ts'
import { pluginSourcesChanged } from '../../../core-plugins/plugin-index/contract.ts'
import {
  pluginsConsentWanted,
  pluginsLicenseChanged,
  pluginsQuarantined,
} from '../../../core-plugins/plugins/contract.ts'
import { healthChanged } from '../../../core-plugins/system/contract.ts'
import { tenantsDomainChanged } from '../../../core-plugins/tenants/contract.ts'
import { wireEvents } from '../../../core-plugins/realtime/wire/wire-table.ts'
import type { Answer } from '../../support/api.ts'
import { uploaded } from '../../support/attachments.ts'
import { configure, issueSession, runningKernel } from '../../support/auth.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { startTestPlatform, testPassword, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { startTestKernel } from '../../support/kernel.ts'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { startFakeUpstream } from '../../support/fake-upstream/start.ts'
import { SocketClient } from '../../support/socket-client.ts'
import { makeAgent } from '../agents/world.ts'
import { hostSecrets } from '../hosts/world.ts'
import { pluginsWith } from './world.ts'

/** Who listens: owner and user of a tenant, the owner of another, and the platform's administrator, each in their namespaces. */
const listeners = [
  'owner/user',
  'owner/tenant',
  'user/user',
  'user/tenant',
  'other/user',
  'other/tenant',
  'admin/user',
  'admin/admin',
]
const own = ['owner/tenant']
const staff = ['admin/admin']
const alert = {
  ...{ id: 'alr_1', rule: 'Errors', rule_id: null, metric: 'error_rate' },
  ...{ since: '2026-01-01T00:00:00.000Z', value: 0.5 },
}

describe('every event that clients get', function () {
  this.timeout(120_000)
  const resources = new AsyncDisposableStack()
  const clients = new Map<string, SocketClient>()
  const causes: [name: string, heardBy: readonly string[], cause: () => Promise<unknown>][] = []
  let platform: TestPlatform
  let upstream: Awaited<ReturnType<typeof startFakeUpstream>>
  let acme: TestTenant
  let other: TestTenant
  let userId: number
  let agent: Promise<string> | undefined
  const caused = new Set<string>()

  before(async () => {
    upstream = resources.use(await startFakeUpstream())
    const env = { ...hostSecrets, EGRESS_ALLOW_PRIVATE: `127.0.0.1:${String(upstream.port)}` }
    platform = resources.use(await startTestPlatform({ plugins: pluginsWith({ frames: 1_000 }), env }))
    acme = await platform.createTenant('acme')
    other = await platform.createTenant('other')
    const user = await platform.createUser(acme, 'user@acme.test', ['tenant_user'])
    userId = user.id
    const { databaseUrl, namespace, url } = platform.test
    // Where hosts share Redis, everybody listens at another host than the one that is called.
    const shared = { plugins: pluginsWith({ frames: 1_000 }), env, databaseUrl, namespace }
    const listening = testRedisUrl() === undefined ? url : resources.use(await startTestKernel(shared)).url
    const apis = { owner: acme.owner, user: user.api, other: other.owner, admin: platform.admin }
    for (const listener of listeners) {
      const [who, path] = listener.split('/') as [keyof typeof apis, string]
      clients.set(listener, await SocketClient.ready(apis[who].at(listening), `/ws/${path}`))
    }
  })
  after(async () => {
    for (const client of clients.values()) client[Symbol.dispose]()
    await resources.disposeAsync()
  })

  const emit = <P>(event: EventRef<P>, payload: P): Promise<unknown> =>
    runningKernel(platform).events.emit(event, payload)
  const on = (name: string, heardBy: readonly string[], cause: () => Promise<unknown>): void =>
    void causes.push([name, heardBy, cause])
  const plugin = '/admin/plugins/acme.live'
  const users = ['owner/user', 'user/user']

  on('preference.global_changed', users, () => acme.owner.put('/tenant/preferences/global', { theme: 'dark' }))
  on('permission.changed', users, async () => {
    dataOf(await acme.owner.post('/tenant/roles', { code: 'fresh', name: 'Fresh', permissions: [] }), 201)
    return acme.owner.put(`/tenant/users/${userId}`, { roles: ['tenant_user', 'fresh'] })
  })
  on('attachment.ready', ['owner/user'], () => uploaded(acme.owner, 'a.txt', Buffer.from('hello')))
  on('notification.created', ['admin/user'], () =>
    configure(platform.admin, 'admin', 'platform_mail', { smtp_host: 'mail.acme.test' }),
  )
  on('notification.read', ['admin/user'], () => platform.admin.post('/notifications/read-all'))
  on('conversation.updated', ['owner/user'], chat)
  on('message.created', ['owner/user'], chat)
  on('config.updated', staff, () => configure(platform.admin, 'admin', 'platform_basic', { site_name: 'Site' }))
  on('config.updated', own, () => configure(acme.owner, 'tenant', 'tenant_security', { session_timeout: 700 }))
  on('config.change_requested', [...own, ...staff], async () => {
    await configure(platform.admin, 'admin', 'platform_tenant_policy', { tenant_config_approval: 'all' })
    await acme.owner.put('/tenant/configs/groups/tenant_security', { session_timeout: 800 })
  })
  on('config.change_decided', [...own, ...staff], async () => {
    const { items } = dataOf(await platform.admin.get('/configs/changes'))
    const [{ id }] = items as unknown as [{ id: number }]
    dataOf(await platform.admin.post(`/admin/configs/changes/${id}/approve`, { reason: 'fine' }))
    await configure(platform.admin, 'admin', 'platform_tenant_policy', { tenant_config_approval: 'off' })
  })
  on('user.registered', own, async () => {
    const somebody = { email: 'new@acme.test', nickname: 'New', password: testPassword }
    await configure(acme.owner, 'tenant', 'tenant_captcha', { user_registration_captcha_enabled: false })
    await configure(acme.owner, 'tenant', 'tenant_login', { allow_registration: true })
    dataOf(await platform.test.api.post('/tenant/users/register', somebody, { host: acme.host }), 201)
  })
  on('announcement.published', ['owner/tenant', 'user/tenant', 'other/tenant', 'admin/admin'], () =>
    platform.admin.post('/admin/announcements', { title: { default: 'News' }, audience: { staff: true } }),
  )
  on('announcement.published', ['owner/tenant', 'user/tenant'], () =>
    acme.owner.post('/tenant/announcements', { title: { default: 'News' } }),
  )
  on('tenant.created', staff, () => platform.createTenant('third'))
  on('tenant.updated', staff, () => platform.admin.put(`/admin/tenants/${acme.id}`, { name: 'Acme' }))
  on('security.refresh_reused', staff, async () => {
    const { refresh } = await issueSession(platform, other.id, other.ownerId)
    const { refresh_token: next } = dataOf(await platform.test.api.post('/auth/refresh', { refresh_token: refresh }))
    await platform.test.api.post('/auth/refresh', { refresh_token: next })
    await platform.test.api.post('/auth/refresh', { refresh_token: refresh })
  })
  on('plugin.operation', staff, async () => installAndEnable(platform.admin, await packSmall('acme.live')))
  on('plugin.disabled', own, async () => {
    dataOf(await platform.admin.post(`${plugin}/tenants`, { tenant_ids: [acme.id] }))
    dataOf(await platform.admin.post(`${plugin}/disable`))
  })
  on('plugin.enabled', own, () => platform.admin.post(`${plugin}/enable`))
  on('plugin.updated', own, async () => {
    const content = await packSmall('acme.live', { version: '1.1.0' })
    return platform.admin.call('POST', `${plugin}/upgrade`, { file: { field: 'file', name: 'a.plugin.zip', content } })
  })
  on('menus.changed', staff, () => platform.admin.put(`${plugin}/menu-config`, { entries: [] }))

  // What takes other services, weeks or an accident to happen: told as those tell it who find it out.
  on('domain.status', own, () =>
    emit(tenantsDomainChanged, { tenantId: acme.id, domain: 'app.acme.test', status: 'verified' }),
  )
  on('quota.threshold', [...own, ...staff], () =>
    emit(aiQuotaWarned, { tenantId: acme.id, quotaId: 'quo_1', bucket: 'tenant', percent: 80 }),
  )
  on('plugin.license_changed', [...own, ...staff], () =>
    emit(pluginsLicenseChanged, { plugin: 'acme.live', tenantId: acme.id, state: 'grace' }),
  )
  on('plugin.consent_wanted', staff, () => emit(pluginsConsentWanted, { name: 'acme.live', version: '2.0.0' }))
  on('plugin.quarantined', staff, () => emit(pluginsQuarantined, { name: 'acme.live', reason: 'It failed' }))
  on('plugin.sources_changed', staff, () => emit(pluginSourcesChanged, { source: 'main' }))
  on('health.changed', staff, () =>
    emit(healthChanged, { status: 'unhealthy', checks: { cache: { status: 'unhealthy', latency_ms: 1 } } }),
  )
  on('alert.raised', staff, () => emit(jobsDied, { id: randomUUID(), kind: 'a.job', tenantId: 0, error: 'gave up' }))
  on('ai.alert', staff, () => emit(aiAlertRaised, { ...alert, tenantId: 0 }))
  on('ai.alert', own, () => emit(aiAlertRaised, { ...alert, tenantId: acme.id }))
  on('ai.alert', own, () => emit(aiAlertResolved, { ...alert, tenantId: acme.id }))
  on('usage.report_ready', staff, () =>
    emit(aiReportReady, { tenantId: 0, reportId: 'rep_1', attachmentId: randomUUID() }),
  )
  on('session.revoked', ['user/user', 'user/tenant'], () =>
    acme.owner.put(`/tenant/users/${userId}`, { status: 'disabled' }),
  )

  for (const [name, heardBy, cause] of causes) {
    it(`${name} comes to ${heardBy.join(' and ')}, and to nobody else`, async () => {
      const seen = new Map([...clients].map(([listener, { events }]) => [listener, events.filter(is).length]))
      const answer = (await cause()) as Partial<Answer> | undefined
      assert.ok(typeof answer?.status !== 'number' || answer.status < 300, JSON.stringify(answer?.body))
      for (const listener of heardBy) {
        const frame = await client(listener).next(name, (seen.get(listener) ?? 0) + 1)
        const [, namespace] = listener.split('/')
        const { data } =
          wireEvents.find((event) => event.name === name && (event.isFarewell || event.namespace === namespace)) ?? {}
        assert.ok(data)
        const check = compileSchemaCheck(data, 'exact', 'lazily')
        assert.ok(check.isValid(frame.data), JSON.stringify(frame))
        caused.add(`${namespace ?? ''} ${name}`)
      }
      // Whatever was fanned out with it has come by now: events keep their order.
      const pongs = [...clients].filter(([, { closed }]) => closed === undefined)
      await Promise.all(pongs.map(([, one]) => one.pong()))
      const heard = [...clients].filter(
        ([listener, { events }]) => events.filter(is).length > (seen.get(listener) ?? 0),
      )
      assert.deepEqual(heard.map(([listener]) => listener).sort(), heardBy.toSorted())
    })

    function is(event: string | undefined): boolean {
      return event === name
    }
  }

  /** Asks an agent something, in a conversation of its own. */
  async function chat(): Promise<Answer> {
    const { admin } = platform
    agent ??= (async () => {
      const vendor = { code: 'fake', name: 'Fake', type: 'openai_compatible', base_url: upstream.lane('chat').v1 }
      const provider = await admin.post('/admin/ai/providers', { ...vendor, credentials: { api_key: 'sk-test-1234' } })
      const model = { name: 'fast', kind: 'chat', provider_id: dataOf(provider, 201)['id'], upstream_model: 'up' }
      dataOf(await admin.post('/admin/ai/models', { ...model, price: { input: '1', output: '2' } }), 201)
      return makeAgent(acme.owner, { model: 'fast', generate_titles: false })
    })()
    return acme.owner.post(`/ai/agent-chat/${await agent}/chat`, { message: 'Hello' })
  }

  it('plugin.operation tells which step of how many was begun, and how it ended', () => {
    const told = client('admin/admin').frames
    const [first] = told.filter(({ event, data }) => event === 'plugin.operation' && data?.['kind'] === 'install')
    const steps = told.flatMap(({ event, data }) =>
      event === 'plugin.operation' && data?.['operation_id'] === first?.data?.['operation_id'] ? [data ?? {}] : [],
    )
    const running = steps.filter(({ state }) => state === 'running')
    const places = running.map(({ index }) => Number(index))
    assert.ok(
      running.length > 3 && running.every(({ total }) => Number(total) >= running.length),
      JSON.stringify(steps),
    )
    assert.deepEqual(
      [places, steps.at(-1)?.['state'], steps.at(-1)?.['error']],
      [places.toSorted((a, b) => a - b), 'succeeded', null],
    )
    assert.equal(new Set(places).size, places.length)
  })

  it('was caused above, and asks for permissions that there are', () => {
    const all = wireEvents.map(({ namespace, name }) => `${namespace} ${name}`)
    const registry = platform.test.kernel.services.get(permissionRegistry)
    const unknown = wireEvents.flatMap(({ permissions = [] }) => permissions.filter((each) => !registry.find(each)))
    assert.deepEqual([all.filter((event) => !caused.has(event)), unknown], [[], []])
  })

  function client(listener: string): SocketClient {
    return clients.get(listener) ?? assert.fail(listener)
  }
})
