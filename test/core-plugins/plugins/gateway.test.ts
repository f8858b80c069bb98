import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { request } from 'undici'
import type { Answer, Api, CallOptions } from '../../support/api.ts'
import { createTenant, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall, upload } from '../../support/small-plugin.ts'
import { lineOfFault, packGate } from './gateway-plugin.ts'

const plugin = '/admin/plugins/acme.gate'
const own = '/tenant/plugins/acme.gate/api'
const all = ['storage', 'events', 'http', 'config', 'notify', 'users:read_basic', 'ai:invoke']
const chinese: CallOptions = { headers: { 'accept-language': 'zh-CN' } }

describe('a plugin behind the gateway', () => {
  let platform: Platform
  let admin: Api
  let one: Api
  let two: Api
  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    const tenants = [await createTenant(admin, 'one'), await createTenant(admin, 'two')]
    ;[one, two] = tenants.map(({ owner }) => owner) as [Api, Api]
    await installAndEnable(admin, await packGate())
    dataOf(await admin.post(`${plugin}/tenants`, { tenant_ids: tenants.map(({ id }) => id) }))
    for (const { owner } of tenants) dataOf(await owner.post('/tenant/plugins/acme.gate/enable'))
  })
  after(() => platform[Symbol.asyncDispose]())

  const traceOf = (body: Answer['body']): string => body['trace_id'] as unknown as string
  const told = ({ status, headers, body }: Answer): unknown[] => {
    assert.match(traceOf(body), /^[0-9a-f-]{32,36}$/)
    assert.equal(headers['x-trace-id'] ?? headers['x-request-id'] ?? body['trace_id'], body['trace_id'])
    return [status, body['code'], body['reason'], body['message'], body['details']]
  }
  const calls = async (): Promise<Record<string, unknown>[]> =>
    dataOf(await admin.get(`${plugin}/api/calls`)) as unknown as Record<string, unknown>[]

  it('is refused as a whole by an administrator who does not consent, and runs nothing of it', async () => {
    const path = '/admin/plugins/acme.refused'
    const wants = { capabilities: ['storage'], reasons: { storage: 'Shows it.' }, hooks: { postInstall: 'fail' } }
    const routes = { admin_routes: [{ method: 'GET', path: '/x', handler: 'x' }] }
    const zip = await packSmall(
      'acme.refused',
      { ...wants, ...routes },
      '{ handlers: { x() {} }, hooks: { fail() {} } }',
    )
    const { consent } = dataOf(await upload(admin, zip), 201)
    const hashes = { release_hash: consent?.['release_hash'], diff_hash: consent?.['diff_hash'] }
    const stale = await admin.post(`${path}/consent`, { ...hashes, accept: true, diff_hash: '0'.repeat(64) })
    assert.deepEqual(refusalOf(stale), { status: 409, code: 4094, reason: 'plugin_consent_outdated' })
    assert.equal(
      dataOf(await admin.post(`${path}/consent`, { ...hashes, accept: false }))['status'],
      'awaiting_consent',
    )
    assert.deepEqual(refusalOf(await admin.post(`${path}/enable`)).reason, 'plugin_status')
    assert.deepEqual(refusalOf(await admin.get(`${path}/api/x`)).code, 4044)
    const { items } = dataOf(await admin.get(`${path}/operations`)) as unknown as { items: Record<string, unknown>[] }
    assert.doesNotMatch(JSON.stringify(items), /hook/)
  })

  it('is told of its installation and each switch once, as the platform, with what it was granted', async () => {
    const already = (await calls()).length
    dataOf(await admin.post(`${plugin}/enable`))
    dataOf(await admin.post(`${plugin}/disable`))
    dataOf(await admin.post(`${plugin}/enable`))
    const seen = await calls()
    const { items } = dataOf(await admin.get(`${plugin}/operations`)) as unknown as { items: Record<string, string>[] }
    const kinds = seen.map(({ input }) =>
      items.find(({ id }) => id === (input as Record<string, string>)['operation_id']),
    )
    const named = kinds.map((operation) => operation?.['kind'])
    assert.deepEqual(
      [named.slice(0, 2), named.slice(already)],
      [
        ['consent', 'enable'],
        ['disable', 'enable'],
      ],
    )
    const names = ['ai', 'config', 'events', 'http', 'notify', 'storage', 'users']
    for (const { tenant, user, names: given } of seen) assert.deepEqual([tenant, user, given], [null, null, names])
  })

  it('stays as it was when its enable hook throws, and administrators learn why', async () => {
    dataOf(await admin.post(`${plugin}/api/fail`, { refuses: true }))
    dataOf(await admin.post(`${plugin}/disable`))
    assert.deepEqual(told(await admin.post(`${plugin}/enable`)).slice(0, 4), [
      ...[500, 5008, 'plugin_broken', 'The plugin cannot be loaded: not today'],
    ])
    assert.equal(dataOf(await admin.get(plugin))['status'], 'installed')
    dataOf(await admin.post(`${plugin}/enable`))
  })

  it('has what its tenant did not refuse, and goes on without the rest', async () => {
    dataOf(await one.post('/tenant/plugins/acme.gate/enable', { capabilities_denied: all }))
    const absent = ['ai', 'config', 'events', 'http', 'notify', 'storage', 'users']
    const { db, ...refused } = dataOf(await one.get(`${own}/use`))
    assert.deepEqual(
      [refused, typeof db],
      [Object.fromEntries(absent.map((name) => [name, 'capability_missing'])), 'number'],
    )
    assert.deepEqual(dataOf(await two.get(`${own}/use`)), {
      db,
      ...{ storage: 'done', events: 'done', http: 'name_not_resolved', config: 'done', notify: 'done' },
      ...{ users: 'done', ai: 'model_not_found' },
    })
    dataOf(await one.post('/tenant/plugins/acme.gate/enable', { capabilities_denied: ['http'] }))
    assert.deepEqual(dataOf(await one.get(`${own}/use`))['storage'], 'done')
    const detail = dataOf(await one.get('/tenant/plugins/acme.gate')) as unknown as {
      readonly enabled: boolean
      readonly rights: readonly { readonly capability: string; readonly optional: boolean; readonly denied: boolean }[]
    }
    assert.equal(detail.enabled, true)
    assert.deepEqual(
      Object.fromEntries(detail.rights.map(({ capability, optional, denied }) => [capability, [optional, denied]])),
      Object.fromEntries([
        ['db:own_tables', [false, false]],
        ...all.map((capability) => [capability, [true, capability === 'http']] as const),
      ]),
    )
    const { owner: third } = await createTenant(admin, 'third')
    assert.deepEqual(refusalOf(await third.get('/tenant/plugins/acme.gate')).code, 4046)
    const other = await one.post('/tenant/plugins/acme.gate/enable', { capabilities_denied: ['db:own_tables'] })
    assert.deepEqual(refusalOf(other), { status: 400, code: 4002, reason: 'plugin_capability_not_optional' })
  })

  it('refuses in the words of its author, with the platform’s codes, thrown or returned', async () => {
    const table: readonly (readonly [string, number, number])[] = [
      ['bad_request', 400, 4002],
      ['forbidden', 403, 4030],
      ['not_found', 404, 4040],
      ['conflict', 409, 4090],
      ['invalid', 422, 4220],
      ['rate_limited', 429, 4299],
      ['upstream', 502, 5024],
    ]
    for (const [code, status, platformCode] of table) {
      const message = `Because of ${code}`
      const expected = [status, platformCode, `plugin.acme.gate.${code}`, message, undefined]
      assert.deepEqual(told(await one.get(`${own}/throw/${code}`, chinese)), expected)
      const returned = [status, platformCode, 'plugin.acme.gate.own_reason', 'Own words', { a: 1 }]
      assert.deepEqual(told(await one.get(`${own}/return/${status}`)), returned)
    }
    for (const status of [401, 418, 500, 503]) {
      const expected = [500, 5004, 'plugin_handler_failed', 'The plugin failed', undefined]
      assert.deepEqual(told(await one.get(`${own}/return/${status}`)), expected, String(status))
    }
  })

  it('shows where it failed to administrators, in the lines of its author, and to nobody else', async () => {
    const failed = await one.get(`${own}/throw/plain`, chinese)
    assert.deepEqual(told(failed), [500, 5004, 'plugin_handler_failed', '插件执行失败', undefined])
    assert.doesNotMatch(JSON.stringify(failed), /only the author|index\.[tj]s|TypeError/)
    const failures = dataOf(await admin.get(`${plugin}/metrics`))['recent_failures'] as unknown as Failure[]
    const { message, stack, target } = failures.find(({ trace_id }) => trace_id === traceOf(failed.body)) ?? {}
    assert.deepEqual([message, target], ['what only the author may know', 'handler raise'])
    assert.ok(stack?.includes(`src/index.ts:${lineOfFault}:`), stack)
  })

  it('is held to its limits in the words of the platform', async () => {
    const group = '/admin/configs/groups/platform_plugin'
    const odd = await one.get(`${own}/odd`, chinese)
    assert.deepEqual(told(odd), [502, 5029, 'plugin_response_invalid', '插件的响应无效', undefined])
    assert.deepEqual(told(await one.get(`${own}/hang`, chinese)), [
      504,
      5040,
      'plugin_timeout',
      '插件未能及时响应',
      undefined,
    ])
    dataOf(await one.get(`${own}/rare`))
    const rare = await one.get(`${own}/rare`, chinese)
    assert.deepEqual(told(rare).slice(0, 4), [429, 4299, 'plugin_rate_limited', '对该插件的请求过于频繁'])
    assert.ok(Number(rare.headers['retry-after']) > 0)
    dataOf(await admin.put(group, { plugin_cpu_ms: 100, plugin_host_calls: 4, plugin_concurrency: 1, plugin_queue: 0 }))
    const beyond = (limit: string) => [500, 5008, 'sandbox_failed', '插件超出了其限制', { limit }]
    assert.deepEqual(told(await one.get(`${own}/often`, chinese)), beyond('host_calls'))
    assert.deepEqual(told(await one.get(`${own}/spin`, chinese)), beyond('cpu'))
    dataOf(await admin.put(group, { values: {}, reset: ['plugin_cpu_ms', 'plugin_host_calls'] }))
    const answers = await Promise.all([1, 2, 3].map(() => one.get(`${own}/wait`, chinese)))
    const busy = answers.find(({ status }) => status !== 200)
    assert.ok(busy)
    assert.deepEqual(told(busy).slice(0, 4), [429, 4298, 'plugin_concurrency', '插件繁忙'])
    dataOf(await admin.put(group, { values: {}, reset: ['plugin_concurrency', 'plugin_queue'] }))
  })

  it('gives public routes the body as it came, so that they can check who signed it', async () => {
    const hook = '/api/public/plugins/acme.gate/api/hook'
    const body = '{ "b":1.0,\n "a":"\\u00e9ü🙂"}'
    const send = async (path: string, text: string, signed = text, type = 'application/json'): Promise<Answer> => {
      const signature = `sha256=${createHmac('sha256', 'of the webhook').update(signed).digest('hex')}`
      const headers = { 'content-type': type, 'x-hub-signature-256': signature, host: 'one.localhost' }
      const answer = await request(`${admin.url}${path}`, { method: 'POST', body: text, headers })
      const json = (await answer.body.json()) as Answer['body']
      return { status: answer.statusCode, headers: answer.headers, body: json }
    }
    assert.deepEqual(dataOf(await send(hook, body)), { seen: { b: 1, a: 'éü🙂' } })
    assert.deepEqual(dataOf(await send(hook, 'a=1&b=%20+', undefined, 'application/x-www-form-urlencoded')), {
      seen: { a: '1', b: '  ' },
    })
    assert.deepEqual(refusalOf(await send(hook, body, `${body} `)).code, 4030)
    assert.deepEqual(dataOf(await send(hook, '')), { seen: null })
    const { names } = dataOf(await send(hook.replace('hook', 'plain'), body))
    assert.deepEqual(names, ['content-type', 'x-hub-signature-256'])
  })
})

interface Failure {
  readonly trace_id: string
  readonly message: string
  readonly stack: string
  readonly target: string
}
