import assert from 'node:assert/strict'
import { preferencesGlobalChanged } from '../../../core-plugins/preferences/contract.ts'
import type { Api, Body } from '../../support/api.ts'
import { identityPlugins, startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { probePlugin } from '../../support/probe.ts'

const path = '/tenant/preferences/global'

describe('global preferences', () => {
  let platform: TestPlatform
  let hear: (event: unknown) => Promise<void> = () => Promise.resolve()
  let count = 0
  before(async () => {
    const listener = probePlugin('listener', (scope) => scope.on(preferencesGlobalChanged, (event) => hear(event)))
    platform = await startTestPlatform({ plugins: [...identityPlugins, listener] })
  })
  after(() => platform[Symbol.asyncDispose]())

  it('stand between the system’s and the own values', async () => {
    const { owner } = await newTenant()
    dataOf(await owner.put(path, { theme: 'dark', page_size: 50 }))
    dataOf(await owner.patch('/preferences', { page_size: 10 }))
    assert.deepEqual(dataOf(await owner.get('/preferences?keys=theme,page_size,density'))['items'], [
      item('density', 'comfortable', 'system', null, 'comfortable'),
      item('page_size', 10, 'personal', 50, 20),
      item('theme', 'dark', 'global', 'dark', 'system'),
    ])
    assert.deepEqual(dataOf(await owner.get(`${path}?keys=theme,page_size,density`))['items'], [
      item('density', 'comfortable', 'system', null, 'comfortable'),
      item('page_size', 50, 'global', 50, 20),
      item('theme', 'dark', 'global', 'dark', 'system'),
    ])
  })

  it('that change remove the own values of exactly the changed keys', async () => {
    const tenant = await newTenant()
    const { owner } = tenant
    const { api: user } = await platform.createUser(tenant, 'one@users.test', ['tenant_user'])
    await owner.patch('/preferences', { theme: 'dark', page_size: 10 })
    await user.patch('/preferences', { theme: 'light', density: 'compact' })
    const did = dataOf(await owner.put(path, { theme: 'dark', density: 'comfortable', page_size: 20 }))
    assert.deepEqual(did, { changed: ['theme'], unchanged: ['density', 'page_size'], overrides_removed: 2 })
    assert.deepEqual(await personalOf(owner), { page_size: 10 })
    assert.deepEqual(await personalOf(user), { density: 'compact' })
  })

  it('are looked at before: what would change, and how many own values that would remove', async () => {
    const tenant = await newTenant()
    const { owner } = tenant
    const { api: user } = await platform.createUser(tenant, 'two@users.test', ['tenant_user'])
    await owner.patch('/preferences', { theme: 'dark', page_size: 10 })
    await user.patch('/preferences', { theme: 'light' })
    const tried = dataOf(await owner.put(`${path}?dry_run=true`, { theme: 'dark', page_size: 20 }))
    const found = { changed: ['theme'], unchanged: ['page_size'], overrides_removed: 2 }
    assert.deepEqual(tried, { ...found, dry_run: true })
    assert.deepEqual(await personalOf(user), { theme: 'light' })
    assert.equal((dataOf(await owner.get(`${path}?keys=theme`))['items']?.[0] as unknown as Body)['source'], 'system')
    assert.equal(refusalOf(await owner.put(`${path}?dry_run=true`, { theme: 'pink' })).code, 4222)
    const seen = { headers: { 'if-match': '"another"' } }
    assert.equal(refusalOf(await owner.put(`${path}?dry_run=true`, { theme: 'dark' }, seen)).code, 4120)
    assert.deepEqual(dataOf(await owner.put(path, { theme: 'dark', page_size: 20 })), found)
  })

  it('written again with the same value remove nothing', async () => {
    const { owner } = await newTenant()
    dataOf(await owner.put(path, { theme: 'dark' }))
    await owner.patch('/preferences', { theme: 'light' })
    const did = dataOf(await owner.put(path, { theme: 'dark' }))
    assert.deepEqual(did, { changed: [], unchanged: ['theme'], overrides_removed: 0 })
    assert.deepEqual(await personalOf(owner), { theme: 'light' })
  })

  it('are taken away by null, and that is a change when the system’s value is another', async () => {
    const { owner } = await newTenant()
    dataOf(await owner.put(path, { theme: 'dark', density: 'comfortable', locale: 'zh-CN' }))
    await owner.patch('/preferences', { theme: 'light', density: 'compact', locale: 'en' })
    const did = dataOf(await owner.put(path, { theme: null, density: null, locale: null, page_size: null }))
    assert.deepEqual(did, {
      changed: ['theme', 'locale'],
      unchanged: ['density', 'page_size'],
      overrides_removed: 2,
    })
    assert.deepEqual(await personalOf(owner), { density: 'compact' })
    const items = dataOf(await owner.get(path))['items'] as unknown as readonly Body[]
    assert.deepEqual([...new Set(items.map(({ source }) => source as unknown))], ['system'])
  })

  it('of one tenant and of the platform do not touch each other', async () => {
    const [one, other] = [await newTenant(), await newTenant()]
    for (const api of [one.owner, other.owner, platform.admin]) await api.patch('/preferences', { theme: 'light' })
    const did = dataOf(await platform.admin.put('/admin/preferences/global', { theme: 'dark' }))
    assert.deepEqual(did, { changed: ['theme'], unchanged: [], overrides_removed: 1 })
    dataOf(await one.owner.put(path, { theme: 'dark' }))
    const themes = []
    for (const api of [one.owner, other.owner, platform.admin]) {
      const [theme] = dataOf(await api.get('/preferences?keys=theme'))['items'] as unknown as readonly Body[]
      themes.push([theme?.['value'], theme?.['source'], theme?.['global_value']])
    }
    assert.deepEqual(themes, [
      ['dark', 'global', 'dark'],
      ['light', 'personal', null],
      ['dark', 'global', 'dark'],
    ])
    dataOf(await platform.admin.put('/preferences/global', { theme: null }))
  })

  it('answer at the bare path by the caller’s token, and at the others to theirs alone', async () => {
    const { owner } = await newTenant()
    dataOf(await owner.put('/preferences/global', { theme: 'dark' }))
    assert.deepEqual(dataOf(await owner.get('/preferences/global')), dataOf(await owner.get(path)))
    const staff = dataOf(await platform.admin.get('/preferences/global'))
    assert.deepEqual(staff, dataOf(await platform.admin.get('/admin/preferences/global')))
    for (const [api, foreign] of [
      [owner, '/admin/preferences/global'],
      [platform.admin, path],
    ] as const) {
      for (const answer of [await api.get(foreign), await api.put(foreign, { theme: 'dark' })]) {
        assert.deepEqual([answer.status, answer.body['code']], [403, 4033])
      }
    }
  })

  it('are all refused when one of them is not valid', async () => {
    const { owner } = await newTenant()
    const answer = await owner.put(path, { theme: 'dark', page_size: 5, nothing: null })
    assert.deepEqual(refusalOf(answer), { status: 422, code: 4222, reason: 'preference_invalid' })
    const faults = answer.body['errors'] as unknown as readonly Body[]
    assert.deepEqual(
      faults.map(({ field, rule }) => [field, rule]),
      [
        ['page_size', 'min_value'],
        ['nothing', 'unknown_key'],
      ],
    )
    const [theme] = dataOf(await owner.get(`${path}?keys=theme`))['items'] as unknown as readonly Body[]
    assert.equal(theme?.['source'], 'system')
  })

  it('are written only on the version the writer has seen', async () => {
    const { owner } = await newTenant()
    const etag = String((await owner.get(path)).headers['etag'])
    assert.equal((await owner.get(path, { headers: { 'if-none-match': etag } })).status, 304)
    const first = await owner.put(path, { theme: 'dark' }, { headers: { 'if-match': etag } })
    const second = await owner.put(path, { theme: 'light' }, { headers: { 'if-match': etag } })
    assert.deepEqual([first.status, second.status, second.body['code']], [200, 412, 4120])
    assert.equal((await owner.get(path)).headers['etag'], first.headers['etag'])
  })

  it('are told of after they hold, and leave a line in the audit log', async () => {
    const { id, owner, ownerId } = await newTenant()
    const heard: unknown[] = []
    hear = async (event) => {
      const [theme] = dataOf(await owner.get(`${path}?keys=theme`))['items'] as unknown as readonly Body[]
      heard.push([event, theme?.['value']])
    }
    const values = { theme: 'dark', page_size: 20 }
    const { trace_id: traceId } = (await owner.put(path, values)).body
    dataOf(await owner.put(path, values))
    assert.deepEqual(heard, [[{ tenantId: id, keys: ['theme'] }, 'dark']])
    const lines = dataOf(await owner.get('/tenant/audit-logs?target=preferences:global'))['items']
    assert.deepEqual(
      (lines as unknown as readonly Body[]).map(({ actor, action, before, after, trace_id: by }) => {
        return { actor: { ...(actor as object), name: undefined }, action, before, after, by }
      }),
      [
        {
          actor: { scope: 'tenant', tenant_id: id, user_id: ownerId, name: undefined },
          action: 'tenant_preference.updated',
          before: { theme: null, page_size: null },
          after: values,
          by: traceId,
        },
      ],
    )
  })

  function newTenant(): Promise<TestTenant> {
    return platform.createTenant(`tenant${++count}`)
  }
})

function item(key: string, value: unknown, source: string, globalValue: unknown, systemValue: unknown): object {
  return { key, value, source, global_value: globalValue, system_value: systemValue, overridable: true }
}

/** The own values of a caller. */
async function personalOf(api: Api): Promise<Readonly<Record<string, unknown>>> {
  const items = dataOf(await api.get('/preferences'))['items'] as unknown as readonly Body[]
  const own = items.filter(({ source }) => (source as unknown) === 'personal')
  return Object.fromEntries(own.map(({ key, value }) => [key as unknown as string, value]))
}
