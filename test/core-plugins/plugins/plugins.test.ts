import assert from 'node:assert/strict'
import type { Api, Body } from '../../support/api.ts'
import { packFixture } from '../../support/packages.ts'
import { createTenant, createUser, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { upload } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { guestbookActions, guestbookHttp, guestbookPage, kindsOfSlots } from './guestbook.ts'

const plugin = '/admin/plugins/acme.guestbook'
const mine = '/tenant/plugins/acme.guestbook'
const closed = { status: 404, code: 4044, reason: 'route_not_found' }
/** For whoever may list plugins, where it is assigned. */
const disabled = { status: 404, code: 4044, reason: 'plugin_is_disabled' }
const wrongScope = { status: 403, code: 4033, reason: 'scope_mismatch' }

describe('plugins, from upload to use', () => {
  let platform: Platform
  let admin: Api
  let zip: Buffer
  let one: { owner: Api; id: number }
  let two: { owner: Api; id: number }
  let consent: Body

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    zip = await packFixture('guestbook')
    one = await createTenant(admin, 'one')
    two = await createTenant(admin, 'two')
  })
  after(() => platform[Symbol.asyncDispose]())

  it('an upload shows what the plugin asks for and why, and nothing of it runs', async () => {
    const installed = dataOf(await upload(admin, zip), 201)
    consent = installed['consent'] as Body
    const { wider } = consent as unknown as { wider: { capability: string; reason: string | null; detail: unknown }[] }
    assert.deepEqual(
      { name: installed['name'], version: installed['version'], status: installed['status'] },
      { name: 'acme.guestbook', version: '1.0.0', status: 'awaiting_consent' },
    )
    assert.deepEqual(installed['capabilities'], ['http', 'storage', 'db:own_tables', 'events', 'config', 'ui'])
    assert.deepEqual(
      wider.find(({ capability }) => capability === 'http'),
      guestbookHttp,
    )
    const waiting = { status: 409, code: 4094, reason: 'plugin_status' }
    assert.deepEqual(refusalOf(await admin.post(`${plugin}/enable`)), waiting)
    assert.deepEqual(dataOf(await admin.get(plugin))['consent'], consent)
  })

  it('the same package again is a conflict, another version too', async () => {
    const again = { status: 409, code: 4091, reason: 'plugin_release_installed' }
    assert.deepEqual(refusalOf(await upload(admin, zip)), again)
    const next = await packFixture('guestbook', (manifest) => ({ ...manifest, version: '1.1.0' }))
    assert.deepEqual(refusalOf(await upload(admin, next)), { status: 409, code: 4094, reason: 'plugin_installed' })
  })

  it('a consent is for exactly what was shown, and may be refused', async () => {
    const { release_hash, diff_hash } = consent
    const outdated = { status: 409, code: 4094, reason: 'plugin_consent_outdated' }
    const other = { accept: true, release_hash, diff_hash: '0'.repeat(64) }
    assert.deepEqual(refusalOf(await admin.post(`${plugin}/consent`, other)), outdated)
    const refused = dataOf(await admin.post(`${plugin}/consent`, { accept: false, release_hash, diff_hash }))
    assert.equal(refused['status'], 'awaiting_consent')
    const given = dataOf(await admin.post(`${plugin}/consent`, { accept: true, release_hash, diff_hash }))
    assert.deepEqual([given['status'], given['consent']], ['installed', undefined])
    const { requested, granted } = dataOf(await admin.get(`${plugin}/capabilities`)) as unknown as {
      requested: string[]
      granted: { capability: string }[]
    }
    const names = granted.map(({ capability }) => capability).filter((name) => name !== 'routes' && name !== 'limits')
    assert.deepEqual(names.sort(), [...requested].sort())
  })

  it('it runs for a tenant once it is enabled, assigned and enabled by the tenant', async () => {
    const entries = `${mine}/api/entries`
    // In whatever state it is: what is not assigned is not there.
    assert.deepEqual(refusalOf(await one.owner.post(`${mine}/enable`)).code, 4046)
    assert.deepEqual(refusalOf(await one.owner.get(entries)), closed)
    assert.equal(dataOf(await admin.post(`${plugin}/enable`))['status'], 'enabled')
    assert.deepEqual(refusalOf(await one.owner.get(entries)), closed)
    assert.deepEqual(refusalOf(await one.owner.post(`${mine}/enable`)).code, 4046)
    const assigned = dataOf(await admin.post(`${plugin}/tenants`, { tenant_ids: [one.id, two.id] }))
    assert.deepEqual(
      assigned['tenants'],
      Object.entries({ one, two }).map(([code, { id }]) => {
        return { tenant_id: id, tenant: { id, code, name: code }, enabled: false, capabilities_denied: [] }
      }),
    )
    assert.deepEqual(refusalOf(await one.owner.get(entries)), disabled)
    assert.equal(dataOf(await one.owner.post(`${mine}/enable`))['running'], true)
    assert.deepEqual(dataOf(await one.owner.get(entries)), { items: [] })
    assert.deepEqual(refusalOf(await two.owner.get(entries)), disabled)
  })

  it('its tables and files are apart for each tenant, and its events arrive', async () => {
    dataOf(await two.owner.post(`${mine}/enable`))
    const written = dataOf(await one.owner.post(`${mine}/api/entries`, { author: 'Ann', message: 'Hello' }), 201)
    dataOf(await one.owner.put(`${mine}/api/files/note`, { text: 'kept' }))
    assert.equal((await one.owner.get(`${mine}/api/files/note`)).body, 'kept')
    assert.equal((await two.owner.get(`${mine}/api/files/note`)).status, 404)
    assert.equal((await two.owner.get(`${mine}/api/entries/${written['id'] as unknown as number}`)).status, 404)
    assert.deepEqual(dataOf(await two.owner.get(`${mine}/api/entries`)), { items: [] })
    await until(async () => Number(dataOf(await one.owner.get(`${mine}/api/count`))['counted']) === 1)
    assert.deepEqual(dataOf(await two.owner.get(`${mine}/api/count`)), { counted: 0 })
  })

  it('a user needs the permission of the route', async () => {
    const reader = await createUser(one.owner, 'one', ['plugin.acme.guestbook:read'])
    dataOf(await reader.get(`${mine}/api/entries`))
    const denied = { status: 403, code: 4031, reason: 'permission_denied' }
    assert.deepEqual(refusalOf(await reader.post(`${mine}/api/entries`, { author: 'A', message: 'B' })), denied)
  })

  it('a permission of both lists of routes is held by roles of the platform and of a tenant', async () => {
    const permissions = ['plugin.acme.guestbook:read']
    dataOf(await admin.post('/admin/roles', { code: 'statistician', name: 'Statistician', permissions }), 201)
    const user = { email: 'statistician@stoa.test', password: 'a long enough passphrase' }
    dataOf(await admin.post('/admin/users', { ...user, roles: ['statistician'] }), 201)
    const { access_token: token } = dataOf(await admin.post('/admin/auth/login/json', user))
    assert.equal(dataOf(await admin.as(token).get(`${plugin}/api/stats`))['entries'], 1)
    const foreign = { code: 'scribe', name: 'Scribe', permissions: ['plugin.acme.guestbook:write'] }
    assert.equal(refusalOf(await admin.post('/admin/roles', foreign)).code, 4220)
  })

  it('its settings have short keys, the tenant its own and the platform its own', async () => {
    dataOf(await one.owner.put(`${mine}/config`, { greeting: 'Come in' }))
    assert.deepEqual(dataOf(await one.owner.get(`${mine}/api/greeting`))['greeting'], 'Come in')
    assert.deepEqual(dataOf(await two.owner.get(`${mine}/api/greeting`))['greeting'], 'Welcome')
    const { items } = dataOf(await one.owner.get(`${mine}/config`)) as unknown as { items: { key: string }[] }
    assert.deepEqual(
      items.map(({ key }) => key),
      ['greeting'],
    )
    const written = dataOf(await admin.put(`${plugin}/config`, { rates_url: 'http://rates.localhost:8099/now' }))
    assert.deepEqual(written['updated'], ['rates_url'])
    const unknown = await admin.put(`${plugin}/config`, { greeting: 'x' })
    assert.deepEqual([unknown.status, unknown.body['code']], [400, 4003])
    assert.equal(dataOf(await one.owner.put(`${mine}/config`, { greeting: null }))['reset']?.length, 1)
    assert.deepEqual(dataOf(await one.owner.get(`${mine}/api/greeting`))['greeting'], 'Welcome')
  })

  it('lists and slots show each caller what is theirs', async () => {
    const listed = dataOf(await one.owner.get('/plugins')) as unknown as { items: { name: string }[] }
    assert.deepEqual(
      listed.items.map(({ name }) => name),
      ['acme.guestbook'],
    )
    const nobody = await createUser(one.owner, 'one', ['tenant_user:list'])
    const empty = { items: [], total: 0, page: 1, page_size: 20, pages: 0 }
    assert.deepEqual(dataOf(await nobody.get('/plugins')), empty)
    const slots = dataOf(await one.owner.get('/plugins/slots')) as unknown as Record<string, { id: string }[]>
    assert.deepEqual(Object.keys(slots).sort(), kindsOfSlots)
    const [book, ...others] = slots['pages'] as unknown as readonly Record<string, unknown>[]
    const { url, release_hash, icon, ...rest } = book ?? {}
    assert.deepEqual([others, typeof icon], [[], 'string'])
    assert.ok(String(url).startsWith(`/plugin-ui/acme.guestbook/${String(release_hash)}/ui/`), String(url))
    assert.deepEqual(rest, { ...guestbookPage, trust: rest['trust'] })
    assert.equal(dataOf(await admin.get('/plugins'))['total'], 1)
    assert.deepEqual(dataOf(await admin.get('/admin/plugins?status=broken'))['items'], [])
  })

  it('a page that does not work is reported to whoever manages plugins in the tenant, by who has it', async () => {
    const path = '/plugins/slots/reports'
    const report = { plugin: 'acme.guestbook', slot: 'book', state: 'silent', words: 'It stays empty.' }
    const { status } = await one.owner.post(path, report)
    const told = dataOf(await one.owner.get('/notifications'))['items'] as unknown as readonly Readonly<
      Record<string, string>
    >[]
    const { title, body = '', level, link, source } = told[0] ?? {}
    assert.deepEqual(
      { status, title, level, link, source },
      {
        ...{ status: 202, title: 'A page of Guestbook is reported: Guestbook', level: 'warning', source: 'plugins' },
        link: '/tenant/plugins/acme.guestbook',
      },
    )
    assert.match(body, /^.+ says: it does not answer\. “It stays empty\.”$/)
    const gone = { status: 404, code: 4046, reason: 'plugin_not_found' }
    assert.deepEqual(refusalOf(await one.owner.post(path, { ...report, slot: 'none' })), gone)
    const nobody = await createUser(one.owner, 'one', ['tenant_user:list'])
    assert.deepEqual(refusalOf(await nobody.post(path, report)), gone)
    assert.equal((await one.owner.post(path, { ...report, state: 'bored' })).status, 422)
  })

  it('lifecycle verbs are for platform tokens, under both prefixes', async () => {
    for (const prefix of ['/plugins', '/admin/plugins']) {
      for (const verb of ['enable', 'disable', 'sync-manifest']) {
        assert.deepEqual(refusalOf(await one.owner.post(`${prefix}/acme.guestbook/${verb}`)), wrongScope)
      }
      assert.deepEqual(refusalOf(await one.owner.delete(`${prefix}/acme.guestbook`)), wrongScope)
    }
    const { id } = dataOf(await admin.get(plugin))
    assert.equal(dataOf(await admin.get(`/plugins/${id as unknown as number}`))['name'], 'acme.guestbook')
    assert.deepEqual(refusalOf(await admin.get('/plugins/no.such')).code, 4046)
  })

  it('disabled it is gone at once, enabled again its data are still there', async () => {
    dataOf(await admin.post(`${plugin}/disable`))
    assert.deepEqual(refusalOf(await one.owner.get(`${mine}/api/entries`)), disabled)
    assert.deepEqual(refusalOf(await admin.get(`${plugin}/api/stats`)), disabled)
    dataOf(await admin.post(`${plugin}/enable`))
    const { items } = dataOf(await one.owner.get(`${mine}/api/entries`)) as unknown as { items: { message: string }[] }
    assert.deepEqual(
      items.map(({ message }) => message),
      ['Hello'],
    )
    dataOf(await admin.post(`${plugin}/sync-manifest`))
    dataOf(await one.owner.get(`${mine}/api/entries`))
  })

  it('taken from a tenant it stops there and nowhere else', async () => {
    dataOf(await admin.delete(`${plugin}/tenants/${two.id}`))
    assert.deepEqual(refusalOf(await two.owner.get(`${mine}/api/entries`)), closed)
    dataOf(await one.owner.get(`${mine}/api/entries`))
    dataOf(await one.owner.post(`${mine}/disable`))
    assert.deepEqual(refusalOf(await one.owner.get(`${mine}/api/entries`)), disabled)
    assert.equal(refusalOf(await admin.post(`${plugin}/tenants`, { tenant_ids: [987654] })).code, 4220)
  })

  it('what it cost and what was done to it can be read', async () => {
    const metrics = dataOf(await admin.get(`${plugin}/metrics`)) as unknown as { tenants: { tenant_id: number }[] }
    assert.ok(metrics.tenants.some(({ tenant_id }) => tenant_id === one.id))
    const { items } = dataOf(await admin.get(`${plugin}/operations?limit=2`)) as unknown as {
      items: { id: string; kind: string; state: string }[]
    }
    assert.deepEqual(
      items.map(({ kind, state }) => `${kind} ${state}`),
      ['sync succeeded', 'enable succeeded'],
    )
    const one_ = dataOf(await admin.get(`${plugin}/operations/${String(items[0]?.id)}`))
    assert.equal(one_['kind'], 'sync')
    const audit = dataOf(await admin.get('/admin/audit-logs?limit=200')) as unknown as { items: { action: string }[] }
    const actions = new Set(audit.items.map(({ action }) => action))
    for (const action of guestbookActions) {
      assert.ok(actions.has(`plugin.${action}`), action)
    }
  })
})
