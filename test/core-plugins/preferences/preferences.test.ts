import assert from 'node:assert/strict'
import type { Answer, Api, Body } from '../../support/api.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'

describe('preferences of a user', () => {
  let platform: TestPlatform
  let acme: TestTenant
  let count = 0
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  it('begin with the system’s values, each with where it comes from', async () => {
    const { api } = await newUser()
    const { items, version } = dataOf(await api.get('/preferences'))
    assert.match(version as unknown as string, /^[\w-]{22}$/)
    const list = items as unknown as readonly Body[]
    assert.deepEqual(
      list.map(({ key, value, ...rest }) => [key, value, rest]),
      [
        ...[
          ['chat_send_key', 'enter'] as const,
          ['chat_stream', true] as const,
          ['date_format', 'YYYY-MM-DD'] as const,
        ],
        ...[['default_agent_id', null] as const, ['density', 'comfortable'] as const, ['email_digest', 'off'] as const],
        ...[['home_path', '/'] as const, ['locale', null] as const, ['notification_sound', true] as const],
        ...[['page_size', 20] as const, ['sidebar_collapsed', false] as const, ['theme', 'system'] as const],
        ['timezone', 'UTC'] as const,
      ].map(([key, value]) => [
        key,
        value,
        { source: 'system', global_value: null, system_value: value, overridable: true },
      ]),
    )
  })

  it('are shown as far as asked for, with names and rules where a form needs them', async () => {
    const { api } = await newUser()
    const answer = await api.get('/preferences?keys=theme,%20page_size,&describe=true', {
      headers: { 'accept-language': 'zh-CN' },
    })
    const shown = { source: 'system', global_value: null, overridable: true }
    assert.deepEqual(dataOf(answer)['items'], [
      {
        ...{ ...shown, key: 'page_size', value: 20, system_value: 20 },
        ...{ name: '每页条数', schema: { type: 'integer', minimum: 10, maximum: 100 } },
      },
      {
        ...{ ...shown, key: 'theme', value: 'system', system_value: 'system' },
        ...{ name: '主题', schema: { enum: ['system', 'light', 'dark'] } },
      },
    ])
    const unknown = await api.get('/preferences?keys=theme,nothing')
    assert.deepEqual([unknown.status, unknown.body['code']], [422, 4221])
    assert.deepEqual(unknown.body['errors'], [
      { field: 'keys', rule: 'unknown_key', message: 'There is no such preference', params: { keys: ['nothing'] } },
    ])
  })

  for (const method of ['patch', 'put'] as const) {
    it(`are changed by ${method.toUpperCase()}, which tells what was not so already`, async () => {
      const { api } = await newUser()
      const first = dataOf(await api[method]('/preferences', { theme: 'dark', locale: null, page_size: 50 }))
      assert.deepEqual(first['updated'], ['theme', 'locale', 'page_size'])
      assert.deepEqual(valuesOf(first), [
        ['locale', null, 'personal'],
        ['page_size', 50, 'personal'],
        ['theme', 'dark', 'personal'],
      ])
      const second = dataOf(await api[method]('/preferences', { theme: 'dark', page_size: 60 }))
      assert.deepEqual(second['updated'], ['page_size'])
      assert.deepEqual(valuesOf(dataOf(await api.get('/preferences'))), valuesOf(second))
    })
  }

  it('are all refused when one of them is not valid, with every fault', async () => {
    const { api } = await newUser()
    const answer = await api.patch('/preferences', { theme: 'dark', page_size: 5, nothing: 1, density: null })
    assert.deepEqual(refusalOf(answer), { status: 422, code: 4222, reason: 'preference_invalid' })
    assert.deepEqual(answer.body['errors'], [
      { field: 'page_size', rule: 'min_value', message: 'Must be at least 10', params: { min: 10 } },
      { field: 'nothing', rule: 'unknown_key', message: 'There is no such preference' },
      {
        ...{ field: 'density', rule: 'options', message: 'Must be one of the options' },
        params: { options: ['comfortable', 'compact'] },
      },
    ])
    assert.deepEqual(valuesOf(dataOf(await api.get('/preferences'))), [])
  })

  it('go back to the default one by one, some or all', async () => {
    const { api } = await newUser()
    await api.patch('/preferences', { theme: 'dark', page_size: 50, density: 'compact', chat_stream: false })
    const one = dataOf(await api.delete('/preferences/theme'))
    assert.deepEqual(
      [one['reset'], valuesOf(one).map(([key]) => key)],
      [['theme'], ['chat_stream', 'density', 'page_size']],
    )
    assert.deepEqual(dataOf(await api.delete('/preferences/theme'))['reset'], [])
    const some = dataOf(await api.post('/preferences/reset', { keys: ['density', 'theme'] }))
    assert.deepEqual([some['reset'], valuesOf(some).map(([key]) => key)], [['density'], ['chat_stream', 'page_size']])
    const all = dataOf(await api.post('/preferences/reset'))
    assert.deepEqual([all['reset'], valuesOf(all)], [['chat_stream', 'page_size'], []])
    assert.deepEqual(dataOf(await api.post('/preferences/reset', {}))['reset'], [])
  })

  it('that do not exist cannot be reset', async () => {
    const { api } = await newUser()
    await api.patch('/preferences', { theme: 'dark' })
    const one = refusalOf(await api.delete('/preferences/nothing'))
    assert.deepEqual(one, { status: 404, code: 4040, reason: 'preference_not_found' })
    const several = await api.post('/preferences/reset', { keys: ['theme', 'nothing', '__proto__'] })
    assert.deepEqual([several.status, several.body['code'], fieldsOf(several)], [422, 4222, ['nothing', '__proto__']])
    assert.deepEqual(valuesOf(dataOf(await api.get('/preferences'))), [['theme', 'dark', 'personal']])
  })

  it('have a version that readers and writers may name', async () => {
    const { api } = await newUser()
    const first = await api.get('/preferences')
    const etag = String(first.headers['etag'])
    assert.equal(etag, `"${dataOf(first)['version'] as unknown as string}"`)
    assert.equal(first.headers['cache-control'], 'no-cache')
    assert.equal((await api.get('/preferences', { headers: { 'if-none-match': etag } })).status, 304)
    const written = await api.patch('/preferences', { theme: 'dark' }, { headers: { 'if-match': etag } })
    assert.equal(written.status, 200)
    assert.notEqual(written.headers['etag'], etag)
    const late = { headers: { 'if-match': etag } }
    for (const answer of [
      await api.patch('/preferences', { theme: 'light' }, late),
      await api.delete('/preferences/theme', late),
      await api.post('/preferences/reset', {}, late),
    ]) {
      assert.deepEqual([answer.status, answer.body['code']], [412, 4120])
    }
    const now = await api.get('/preferences', { headers: { 'if-none-match': etag } })
    assert.equal(now.status, 200)
    assert.equal(now.headers['etag'], written.headers['etag'])
    const reset = await api.delete('/preferences/theme', { headers: { 'if-match': String(now.headers['etag']) } })
    assert.equal(reset.headers['etag'], etag)
  })

  it('let one of two writers who saw the same version through', async () => {
    const { api } = await newUser()
    const etag = String((await api.get('/preferences')).headers['etag'])
    const writes = [10, 20, 30, 40, 50].map((size) =>
      api.patch('/preferences', { page_size: size }, { headers: { 'if-match': etag } }),
    )
    const statuses = (await Promise.all(writes)).map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [200, 412, 412, 412, 412])
  })

  it('are each user’s own, in a tenant and on the platform', async () => {
    const [{ api: one }, { api: other }] = [await newUser(), await newUser()]
    await one.patch('/preferences', { theme: 'dark' })
    await platform.admin.patch('/preferences', { theme: 'light' })
    assert.deepEqual(valuesOf(dataOf(await other.get('/preferences'))), [])
    assert.deepEqual(valuesOf(dataOf(await one.get('/preferences'))), [['theme', 'dark', 'personal']])
    assert.deepEqual(valuesOf(dataOf(await platform.admin.get('/preferences'))), [['theme', 'light', 'personal']])
  })

  function newUser(): Promise<{ id: number; api: Api }> {
    return platform.createUser(acme, `user${++count}@acme.test`, ['tenant_user'])
  }
})

/** Key, value and source of what does not come from the system. */
function valuesOf(data: Body): readonly (readonly [key: unknown, value: unknown, source: unknown])[] {
  const items = data['items'] as unknown as readonly Body[]
  return items.flatMap(({ key, value, source }) => ((source as unknown) === 'system' ? [] : [[key, value, source]]))
}

function fieldsOf({ body }: Answer): readonly unknown[] {
  return (body['errors'] as unknown as readonly Body[]).map(({ field }) => field)
}
