import assert from 'node:assert/strict'
import type { Answer, Api } from '../../support/api.ts'
import { png } from '../../support/png.ts'
import { createTenant, createUser, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { sampleOf, type SampledSchema } from '../../support/sample.ts'
import { packSmall, upload } from '../../support/small-plugin.ts'
import { goodCall, listOperations, refusalsOf, wrongMethodOf, type Refusal } from './paths-refusals.ts'
import { administrationPaths, tenantPaths, type PluginPath } from './paths-table.ts'

interface Operation {
  readonly 'x-permission'?: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: SampledSchema }>> }
}

/** Bodies whose patterns no sample fits. */
const bodies: Readonly<Record<string, unknown>> = {
  '/{plugin_id}/consent': { accept: true, release_hash: '0'.repeat(64), diff_hash: '0'.repeat(64) },
  '/{plugin_id}/tenants': { tenant_ids: [1] },
}
const prefixes = ['/plugins', '/admin/plugins']

describe('the paths about plugins', () => {
  let platform: Platform
  let admin: Api
  let nobody: Api
  let reader: Api
  let owner: Api
  let guest: Api
  let operations: Readonly<Record<string, Readonly<Record<string, Operation>>>>

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    const { body } = await platform.host.api.get('/openapi.json')
    operations = body['paths'] as unknown as typeof operations
    dataOf(
      await admin.post('/admin/roles', { code: 'walker', name: 'Walker', permissions: ['platform_tenant:list'] }),
      201,
    )
    const user = { email: 'walker@stoa.test', password: 'a long enough passphrase' }
    dataOf(await admin.post('/admin/users', { ...user, roles: ['walker'] }), 201)
    nobody = admin.as(dataOf(await admin.post('/admin/auth/login/json', user))['access_token'])
    const permissions = ['platform_plugin:detail']
    dataOf(await admin.post('/admin/roles', { code: 'reader', name: 'Reader', permissions }), 201)
    const other = { ...user, email: 'reader@stoa.test' }
    dataOf(await admin.post('/admin/users', { ...other, roles: ['reader'] }), 201)
    reader = admin.as(dataOf(await admin.post('/admin/auth/login/json', other))['access_token'])
    owner = (await createTenant(admin, 'one')).owner
    guest = await createUser(owner, 'one', ['tenant_user:list'])
    dataOf(await upload(admin, await packSmall('acme.other')), 201)
  })
  after(() => platform[Symbol.asyncDispose]())

  const find = (prefix: string, { method, path }: PluginPath) => operations[prefix + path]?.[method.toLowerCase()]

  /** One call as good as it can be made, of a plugin that is not there unless said otherwise. */
  function call(by: Api, prefix: string, { method, path }: PluginPath, plugin = 'acme.absent'): Promise<Answer> {
    const operation = find(prefix, { method, path, permission: '' })
    const target = (prefix + path)
      .replace('{plugin_id}', plugin)
      .replace('{operation_id}', '0198b2a0-0000-7000-8000-000000000000')
      .replace('{tenant_id}', '1')
      .replace(/\{\w+\}/, 'acme.absent')
    const content = operation?.requestBody?.content ?? {}
    if (content['multipart/form-data'] && !content['application/json']) {
      return by.call(method, target, { file: { field: 'file', name: 'a.png', content: png(8, 8) } })
    }
    const schema = content['application/json']?.schema
    return by.call(method, target, schema ? { body: bodies[path] ?? sampleOf(schema) } : {})
  }

  for (const each of administrationPaths) {
    const { method, path, permission } = each
    it(`${method} ${path} is there under both prefixes, for administrators with ${permission}`, async () => {
      for (const prefix of prefixes) {
        assert.equal(find(prefix, each)?.['x-permission'], permission, `${method} ${prefix}${path}`)
        const anonymous = await call(platform.host.api, prefix, each)
        assert.deepEqual([anonymous.status, anonymous.body['code']], [401, 4010])
        assert.deepEqual(refusalOf(await call(nobody, prefix, each)).code, 4031)
        assert.deepEqual(refusalOf(await call(owner, prefix, each)).code, 4033)
        // A final backup outlives its plugin, so that it is looked for by name alone.
        const missing = path.endsWith('{backup_name}') ? 4040 : 4046
        if (path.startsWith('/{plugin_id}')) assert.equal((await call(admin, prefix, each)).body['code'], missing)
      }
    })
  }

  for (const each of tenantPaths) {
    const { method, path, permission } = each
    it(`${method} /tenant/plugins${path} is there for tenants with ${permission}`, async () => {
      const prefix = '/tenant/plugins'
      assert.equal(find(prefix, each)?.['x-permission'], permission)
      assert.equal((await call(platform.host.api, prefix, each)).status, 401)
      assert.equal(refusalOf(await call(admin, prefix, each)).code, 4033)
      assert.equal(refusalOf(await call(guest, prefix, each)).code, 4031)
      // What is not assigned to a tenant is not there for it, as what is not there at all.
      for (const plugin of ['acme.absent', 'acme.other']) {
        assert.equal(refusalOf(await call(owner, prefix, each, plugin)).code, 4046)
      }
    })
  }

  it('lists and slots answer by the scope of the token', async () => {
    for (const path of ['', '/slots']) {
      for (const by of [admin, owner]) dataOf(await by.get(`/plugins${path}`))
      dataOf(await admin.get(`/admin/plugins${path}`))
      dataOf(await owner.get(`/tenant/plugins${path}`))
      assert.equal(refusalOf(await owner.get(`/admin/plugins${path}`)).code, 4033)
      assert.equal(refusalOf(await admin.get(`/tenant/plugins${path}`)).code, 4033)
      assert.equal((await platform.host.api.get(`/plugins${path}`)).status, 401)
    }
    for (const path of ['', '/acme.other/icon'])
      for (const prefix of prefixes) assert.equal(refusalOf(await nobody.get(`${prefix}${path}`)).code, 4031)
    assert.equal(refusalOf(await owner.get('/plugins/acme.other/icon')).code, 4046)
  })

  it('an operation is called off by whoever may do what it does, and looking at it is not enough', async () => {
    const { knex } = platform.host.kernel.database
    const told: Record<string, unknown> = {}
    for (const [at, kind] of ['install', 'upgrade', 'rollback', 'backup'].entries()) {
      const id = `0198b2a0-0000-7000-8000-00000000000${at + 1}`
      const ended = { state: 'failed', fencing: 0, finished_at: new Date() }
      await knex('plugin_operations').insert({ id, plugin: 'acme.called_off', kind, ...ended })
      told[kind] = (await reader.post(`/plugins/operations/${id}/cancel`)).body['code']
    }
    assert.deepEqual(told, { install: 4031, upgrade: 4031, rollback: 4031, backup: 4094 })
  })

  /** The calls whose answers are not what they should be; some at a time, so that it takes seconds. */
  async function collectWrong(calls: readonly (Refusal & { readonly by: Api })[]): Promise<readonly string[]> {
    const wrong: string[] = []
    const queue = calls.values()
    const work = async () => {
      for (const { by, method, target, options, expected } of queue) {
        const { status, body } = await by.call(method, target, options)
        const found = `${status} ${JSON.stringify(body['code'])}`
        if (!found.startsWith(expected)) wrong.push(`${method} ${target}: ${found} instead of ${expected}`)
      }
    }
    await Promise.all(Array.from({ length: 8 }, work))
    return wrong
  }

  it('every path refuses who has no token, who may not, and whose token is of another scope', async () => {
    const all = listOperations(operations)
    assert.ok(all.length > 100)
    const calls = all.flatMap(({ method, path, operation }) => {
      const call = { method, ...goodCall(path, operation) }
      const isTenants = path.startsWith('/tenant')
      const anonymous = { ...call, by: platform.host.api, expected: '401 4010' }
      if (operation['x-permission'] === undefined) return [anonymous]
      const [weak, foreign] = isTenants ? [guest, admin] : [nobody, owner]
      return [anonymous, { ...call, by: weak, expected: '403 4031' }, { ...call, by: foreign, expected: '403 4033' }]
    })
    assert.deepEqual(await collectWrong(calls), [])
  })

  it('every path refuses what is not there, what it cannot read, and what it does not take', async () => {
    // Twins are the same endpoints, as the test after this one tells.
    const all = listOperations(operations).filter(({ path }) => !path.startsWith('/admin'))
    const calls = all.flatMap(({ method, path, operation }) => refusalsOf(path, method, operation))
    const methods = [...new Set(all.map(({ path }) => path))].map((path) => wrongMethodOf(path, operations))
    const by = (target: string) => (target.startsWith('/tenant') ? owner : admin)
    const wrong = await collectWrong([...calls, ...methods].map((call) => ({ ...call, by: by(call.target) })))
    assert.deepEqual(wrong, [])
  })

  it('a version or a source that could never be one is 422, and one that is not there 404', async () => {
    // What was uploaded belongs to no source: which one is meant has to be said.
    for (const [path, body, status] of [
      ['/install', { name: 'acme.absent' }, 404],
      ['/acme.other/upgrade', {}, 409],
      ['/acme.other/rollback', {}, 404],
    ] as const) {
      assert.equal(refusalOf(await admin.post(`/plugins${path}`, { ...body, version: 'x' })).code, 4220, path)
      assert.equal((await admin.post(`/plugins${path}`, { ...body, version: '0.0.1' })).status, status, path)
    }
    for (const path of ['/install', '/acme.other/upgrade']) {
      const body = path === '/install' ? { name: 'acme.absent' } : {}
      assert.equal(refusalOf(await admin.post(`/plugins${path}`, { ...body, source: 'NO' })).code, 4220)
      assert.equal(refusalOf(await admin.post(`/plugins${path}`, { ...body, source: 'none' })).code, 4040)
    }
  })

  it('refusals are told in the language of the caller, down to their fields', async () => {
    const headers = { 'accept-language': 'zh-CN' }
    const told = ({ body }: Answer) => [body['message'], body['errors']?.['0']?.['message']] as unknown[]
    const send = (field: string) =>
      admin.call('POST', '/plugins/upload', { file: { field, name: 'a.zip', content: Buffer.from('no zip') }, headers })
    assert.deepEqual(told(await send('file')), ['安装包被拒绝：文件末尾不是 zip 的结束记录', undefined])
    assert.deepEqual(told(await send('other')), ['部分字段无效', '文件字段应为 file，而不是 other'])
    const assigned = await admin.post('/plugins/acme.other/tenants', { tenant_ids: [999_999] }, { headers })
    assert.equal(told(assigned)[1], '没有这个租户')
    const sorted = await admin.get('/admin/plugins?sort=nothing', { headers })
    assert.deepEqual(told(sorted), ['部分参数无效', '不能按该字段排序'])
    const licence = await admin.post('/plugins/acme.other/activate-license', { token: 'none' }, { headers })
    assert.equal(told(licence)[0], '许可证被拒绝：格式不正确')
  })

  it('every administration path has its twin under the other prefix', () => {
    // Whoever sees a page tells that it does not work: an administrator reads that among the findings.
    const forEverybody = '/plugins/slots/reports'
    const below = (prefix: string) =>
      Object.entries(operations)
        .filter(([path]) => path.startsWith(prefix) && !path.includes('/api/') && path !== forEverybody)
        .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path.slice(prefix.length)}`))
        .sort()
    assert.deepEqual(below('/admin/plugins'), below('/plugins'))
  })
})
