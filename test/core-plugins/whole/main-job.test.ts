// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { generateFernetKey } from '#kernel'
import type { Answer, Api, Body } from '../../support/api.ts'
import { isShared, startOperatorBackEnd, type BackEnd } from '../../support/back-end.ts'
import { setUp } from '../../support/first-run.ts'
import { startHostProcess, type HostProcess } from '../../support/host-process.ts'
import { packFixture } from '../../support/packages.ts'
import { until } from '../../support/until.ts'

const plugin = '/admin/plugins/acme.guestbook'
/** Hosts of one platform share their secrets. */
const secrets = {
  APP_SECRET: randomBytes(32).toString('base64url'),
  JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  CONFIG_FERNET_KEYS: generateFernetKey(),
}
const guestbook = '/tenant/plugins/acme.guestbook/api'

interface Done {
  readonly kind: string
  readonly state: string
  readonly steps: readonly { readonly step: string }[]
}

/** What is done to the plugin, in its steps. */
const done = [
  { kind: 'install', steps: ['store', 'load_test', 'commit', 'converge'] },
  // Before it was consented to.
  { kind: 'enable', state: 'failed', steps: [] },
  { kind: 'consent', steps: ['grant', 'converge', 'hook'] },
  { kind: 'enable', steps: ['load', 'hook', 'commit', 'converge'] },
  { kind: 'disable', steps: ['commit', 'converge', 'hook'] },
  { kind: 'enable', steps: ['load', 'hook', 'commit', 'converge'] },
  {
    kind: 'uninstall',
    steps: [
      ...['stop_dispatch', 'drain', 'hook', 'schedules', 'events', 'registrations', 'front_end', 'permissions'],
      ...['tenants_and_settings', 'licences', 'backup', 'tables', 'storage', 'release'],
    ],
  },
]

describe('the main job, over HTTP only', () => {
  let dataDirs: string[]
  let backEnd: BackEnd
  let rates: Server
  let ratesPort: number

  beforeEach(async () => {
    dataDirs = []
    backEnd = await startOperatorBackEnd()
    rates = createServer((_, response) => response.setHeader('content-type', 'application/json').end('{"EUR":1.08}'))
    rates.listen(0, '127.0.0.1')
    await once(rates, 'listening')
    ratesPort = (rates.address() as AddressInfo).port
  })
  afterEach(async () => {
    rates.close()
    await backEnd[Symbol.asyncDispose]()
    await Promise.all(dataDirs.map((folder) => rm(folder, { recursive: true, force: true })))
  })

  async function start(): Promise<{ host: HostProcess; dataDir: string }> {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-main-job-'))
    dataDirs.push(dataDir)
    const env = { ...backEnd.env, ...secrets, EGRESS_ALLOW_PRIVATE: `rates.localhost:${ratesPort}` }
    return { host: await startHostProcess({ dataDir, env }), dataDir }
  }

  it('installs, grants, enables, assigns, serves two tenants apart, disables, enables and purges', async () => {
    await using hosts = new AsyncDisposableStack()
    const { host, dataDir } = await start()
    hosts.use(host)
    const { admin, firstRun } = await setUp(host, dataDir)
    const demo = await signIn(admin, { ...firstRun.demo })
    const acme = await createTenant(admin, 'acme')

    // Upload and consent.
    const uploaded = data(await upload(admin, await packGuestbook(ratesPort)), 201)
    assert.equal(uploaded['status'], 'awaiting_consent')
    const asked = uploaded['consent'] as unknown as {
      release_hash: string
      diff_hash: string
      wider: { reason?: string }[]
    }
    assert.ok(asked.wider.some(({ reason }) => reason === 'Keeps the entries and counts them.'))
    assert.equal((await admin.post(`${plugin}/enable`)).status, 409)
    const { release_hash, diff_hash } = asked
    data(await admin.post(`${plugin}/consent`, { accept: true, release_hash, diff_hash }))

    // Enable, assign, and let the tenants' owners enable it.
    data(await admin.post(`${plugin}/enable`))
    const tenantIds = [demo.tenantId, acme.tenantId]
    data(await admin.post(`${plugin}/tenants`, { tenant_ids: tenantIds }))
    assert.deepEqual(pick(await demo.api.get(`${guestbook}/entries`)), { status: 404, code: 4044 })
    for (const { api } of [demo, acme]) data(await api.post('/tenant/plugins/acme.guestbook/enable'))

    // A user of the tenant, with the plugin's permissions through a role.
    const user = await createUser(demo.api)

    // Table, storage, configuration, event, HTTP.
    const entry = data(await user.post(`${guestbook}/entries`, { author: 'Ann', message: 'Hello' }), 201)
    assert.equal(entry['message'], 'Hello')
    assert.deepEqual(messages(await user.get(`${guestbook}/entries`)), ['Hello'])
    assert.deepEqual(messages(await acme.api.get(`${guestbook}/entries`)), [])
    assert.equal((await acme.api.get(`${guestbook}/entries/${Number(entry['id'])}`)).status, 404)
    data(await user.put(`${guestbook}/files/note`, { text: 'kept' }))
    const file = await user.get(`${guestbook}/files/note`)
    assert.deepEqual({ status: file.status, body: file.body }, { status: 200, body: 'kept' })
    assert.equal((await acme.api.get(`${guestbook}/files/note`)).status, 404)
    data(await demo.api.put('/tenant/plugins/acme.guestbook/config', { greeting: 'Come in' }))
    assert.deepEqual(data(await user.get(`${guestbook}/greeting`)), { greeting: 'Come in', tenant: 'demo' })
    assert.deepEqual(data(await acme.api.get(`${guestbook}/greeting`)), { greeting: 'Welcome', tenant: 'acme' })
    assert.deepEqual(data(await user.get(`${guestbook}/rate`)), { rate: { EUR: 1.08 } })
    await until(async () => data(await user.get(`${guestbook}/count`))['counted'] === (1 as unknown))
    const stats = data(await admin.get(`${plugin}/api/stats`))
    assert.deepEqual(stats, { plugin: 'acme.guestbook', version: '1.0.0', entries: 1 })
    const hello = await user.get('/api/public/plugins/acme.guestbook/api/hello', { host: 'demo.localhost' })
    assert.equal(hello.status, 200)

    // Disable and enable: gone at once, back with its data.
    data(await admin.post(`${plugin}/disable`))
    assert.deepEqual(pick(await user.get(`${guestbook}/entries`)), { status: 404, code: 4044 })
    data(await admin.post(`${plugin}/enable`))
    assert.deepEqual(messages(await user.get(`${guestbook}/entries`)), ['Hello'])

    // Uninstall for good: the operation remembers its 14 steps, nothing else does.
    data(await admin.delete(`${plugin}?purge=true`))
    const { items } = data(await admin.get(`${plugin}/operations`)) as unknown as { items: Done[] }
    assert.deepEqual(
      items.map(({ kind, state, steps }) => ({ kind, state, steps: steps.map(({ step }) => step) })),
      done.map(({ state = 'succeeded', ...one }) => ({ ...one, state })).reverse(),
    )
    assert.deepEqual(pick(await user.get(`${guestbook}/entries`)), { status: 404, code: 4044 })
    assert.deepEqual(pick(await admin.get(plugin)), { status: 404, code: 4046 })
    const document = await admin.get('/openapi.json')
    assert.equal(JSON.stringify(document.body).includes('acme.guestbook'), false)
  })

  // Hosts share a PostgreSQL and a Redis; on memory the second one is refused, which process.test.ts shows.
  const onTwoHosts = isShared ? it : () => undefined
  onTwoHosts('installs on one host and answers on the other within a second', async () => {
    await using hosts = new AsyncDisposableStack()
    const one = await start()
    hosts.use(one.host)
    const two = await start()
    hosts.use(two.host)
    const { admin, firstRun } = await setUp(one.host, one.dataDir)
    const demo = await signIn(admin, { ...firstRun.demo })
    const uploaded = data(await upload(admin, await packGuestbook(ratesPort)), 201)
    const { release_hash, diff_hash } = uploaded['consent'] as unknown as { release_hash: string; diff_hash: string }
    data(await admin.post(`${plugin}/consent`, { accept: true, release_hash, diff_hash }))
    data(await admin.post(`${plugin}/enable`))
    data(await admin.post(`${plugin}/tenants`, { tenant_ids: [demo.tenantId] }))
    data(await demo.api.post('/tenant/plugins/acme.guestbook/enable'))
    const other = demo.api.at(two.host.url)
    await until(async () => (await other.get(`${guestbook}/entries`)).status === 200, 1000)
    data(await other.post(`${guestbook}/entries`, { author: 'Ben', message: 'From the other host' }), 201)
    assert.deepEqual(messages(await demo.api.get(`${guestbook}/entries`)), ['From the other host'])
    data(await admin.post(`${plugin}/disable`))
    assert.deepEqual(pick(await other.get(`${guestbook}/entries`)), { status: 404, code: 4044 })
  })
})

function packGuestbook(ratesPort: number): Promise<Buffer> {
  return packFixture('guestbook', (manifest) => {
    const http = { hosts: [{ host: 'rates.localhost', ports: [ratesPort], methods: ['GET'], reason: "Today's rate." }] }
    const config = (manifest['config'] as { key: string }[]).map((item) =>
      item.key === 'rates_url' ? { ...item, default: `http://rates.localhost:${ratesPort}/latest` } : item,
    )
    return { ...manifest, http, config }
  })
}

function upload(admin: Api, content: Buffer): Promise<Answer> {
  const file = { field: 'file', name: 'guestbook.plugin.zip', content }
  return admin.call('POST', '/admin/plugins/upload', { file })
}

async function createTenant(admin: Api, code: string): Promise<{ api: Api; tenantId: unknown }> {
  const owner = { email: `owner@${code}.test`, password: 'a long enough passphrase' }
  data(await admin.post('/admin/tenants', { code, name: code, owner }), 201)
  return signIn(admin, { tenant_code: code, account: owner.email, password: owner.password })
}

async function signIn(api: Api, credentials: object): Promise<{ api: Api; tenantId: unknown }> {
  const tokens = data(await api.post('/auth/login/json', credentials))
  return { api: api.as(tokens['access_token']), tenantId: tokens['tenant']?.['id'] }
}

/** A user whose only role holds the plugin's permissions. */
async function createUser(owner: Api): Promise<Api> {
  const role = { code: 'guests', name: 'Guests', permissions: ['plugin.acme.guestbook:*'] }
  data(await owner.post('/tenant/roles', role), 201)
  const user = { email: 'user@demo.test', password: 'a long enough passphrase' }
  data(await owner.post('/tenant/users', { ...user, roles: ['guests'] }), 201)
  return (await signIn(owner, { ...user, tenant_code: 'demo' })).api
}

/** The data of an answer that must have this status. */
function data(answer: Answer, status = 200): Body {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  return answer.body['data'] as Body
}

function pick(answer: Answer): { status: number; code: unknown } {
  return { status: answer.status, code: answer.body['code'] }
}

function messages(answer: Answer): unknown {
  const items = data(answer)['items'] as unknown as { message: string }[]
  return items.map(({ message }) => message)
}
