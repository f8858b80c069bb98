import assert from 'node:assert/strict'
import { definePlugin } from '#kernel'
import { access, type PermissionSource } from '../../../core-plugins/access/contract.ts'
import type { Answer, Body } from '../../support/api.ts'
import { until } from '../../support/until.ts'
import { identityPlugins, startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'

const codeOf = ({ status, body }: Answer): unknown => [status, body['code']]

const guestbook = definePlugin({
  name: 'guestbook',
  version: '1.0.0',
  title: { default: 'Guestbook' },
  description: { default: 'Stands for a third-party plugin' },
  permissions: [
    { resource: 'plugin.guestbook', scope: 'TENANT', actions: { read: 'Read the book', write: 'Write into it' } },
  ],
  setup: () => undefined,
})

/** What the plugin's release says of itself. */
const declared: PermissionSource['declared'] = () => {
  return Promise.resolve(
    ['read', 'write'].map((action) => {
      const name = `plugin.guestbook:${action}`
      return { name, scope: 'TENANT', sentence: action, plugin: 'guestbook', dataScoped: false } as const
    }),
  )
}

describe('roles', () => {
  let platform: TestPlatform
  let acme: TestTenant
  let other: TestTenant
  before(async () => {
    platform = await startTestPlatform({ plugins: [...identityPlugins, guestbook] })
    acme = await platform.createTenant('acme')
    other = await platform.createTenant('other')
  })
  after(() => platform[Symbol.asyncDispose]())

  async function createRole(code: string, permissions: readonly string[]): Promise<number> {
    const made = await acme.owner.post('/tenant/roles', { code, name: code, permissions })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return Number(made.body['data']?.['id'])
  }

  it('are nine from the start', async () => {
    const list = async (answer: Promise<Answer>) => {
      const items = (await answer).body['data']?.['items'] as unknown as Body[]
      return items.map(({ code, system }) => [code, system])
    }
    assert.deepEqual(
      [await list(platform.admin.get('/admin/roles')), await list(acme.owner.get('/tenant/roles'))],
      [
        [
          ['super_admin', true],
          ['platform_admin', true],
          ['platform_operator', true],
          ['platform_auditor', true],
        ],
        [
          ['tenant_owner', true],
          ['tenant_admin', true],
          ['org_admin', true],
          ['tenant_user', true],
          ['tenant_guest', true],
        ],
      ],
    )
  })

  it('give what core plugins declare, and nothing of third-party plugins by themselves', async () => {
    const user = await platform.createUser(acme, 'plain@acme.test', ['tenant_user'])
    const me = async (answer: Promise<Answer>) => (await answer).body['data']?.['permissions'] as unknown as string[]
    const owner = await me(acme.owner.get('/permissions/me'))
    const plain = await me(user.api.get('/permissions/me'))
    assert.deepEqual(
      [plain.includes('user_profile:read'), plain.filter((name) => !name.startsWith('user_'))],
      [true, []],
    )
    assert.deepEqual(await me(platform.admin.get('/permissions/me')), ['*:*'])
    assert.equal(owner.includes('tenant_role:update') && owner.includes('user_profile:read'), true)
    assert.deepEqual(
      owner.filter((name) => /^(plugin|platform)/.test(name)),
      [],
    )
  })

  it('are seen by their holders in the next request', async () => {
    const user = await platform.createUser(acme, 'reader@acme.test', ['tenant_user'])
    const id = await createRole('reader', ['tenant_user:list'])
    const answers = [await user.api.get('/tenant/users')]
    await acme.owner.put(`/tenant/users/${user.id}`, { roles: ['tenant_user', 'reader'] })
    answers.push(await user.api.get('/tenant/users'))
    await acme.owner.put(`/tenant/roles/${id}`, { permissions: ['tenant_role:*'] })
    answers.push(await user.api.get('/tenant/users'), await user.api.get('/tenant/roles'))
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body['code'], body['details']?.['permission']]),
      [
        [403, 4031, 'tenant_user:list'],
        [200, 0, undefined],
        [403, 4031, 'tenant_user:list'],
        [200, 0, undefined],
      ],
    )
  })

  it('hold known permissions of their own area only', async () => {
    const wrong = ['*:*', 'nothing:*', 'platform_tenant:list', 'tenant_user:fly']
    const { status, body } = await acme.owner.post('/tenant/roles', {
      code: 'wrong',
      name: 'Wrong',
      permissions: ['tenant_user:list', ...wrong],
    })
    const errors = body['errors'] as unknown as { field: string; params: { permission: string } }[]
    assert.deepEqual([status, errors.map(({ params }) => params.permission)], [422, wrong])
  })

  it('cannot be made to hold more than their maker, nor be lessened by who holds less', async () => {
    await createRole('maker', ['tenant_role:*', 'tenant_user:list'])
    const maker = await platform.createUser(acme, 'maker@acme.test', ['maker'])
    const make = (code: string, permissions: string[]) =>
      maker.api.post('/tenant/roles', { code, name: code, permissions })
    const answers = [
      await make('one', ['tenant_user:delete']),
      await make('two', ['tenant_user:*']),
      await make('three', ['tenant_user:list', 'tenant_role:*']),
    ]
    const above = `/tenant/roles/${await createRole('above', ['tenant_user:list', 'tenant_user:delete'])}`
    answers.unshift(await maker.api.put(above, { permissions: ['tenant_user:list'] }))
    answers.unshift(await maker.api.put(above, { status: 'disabled' }))
    assert.deepEqual(answers.map(codeOf), [...Array<unknown>(4).fill([403, 4031]), [201, 0]])
  })

  it('are given by nobody without the right to give roles, whatever they hold', async () => {
    const role = { code: 'changer', name: 'Changer', permissions: ['tenant_user:update'], data_scope: 'ALL' }
    await acme.owner.post('/tenant/roles', role)
    const changer = await platform.createUser(acme, 'changer@acme.test', ['tenant_user', 'changer'])
    const { id } = await platform.createUser(acme, 'given@acme.test', ['tenant_user'])
    const change = (body: object) => changer.api.put(`/tenant/users/${id}`, body)
    const [given, named] = [await change({ add_roles: ['changer'] }), await change({ nickname: 'Ann' })]
    const permission = given.body['details']?.['permission']
    assert.deepEqual([codeOf(given), permission, codeOf(named)], [[403, 4031], 'tenant_role:assign', [200, 0]])
  })

  it('that are the system’s are neither deleted nor renamed, and take nothing but permissions of plugins', async () => {
    const list = await acme.owner.get('/tenant/roles?q=tenant_guest')
    const role = (list.body['data']?.['items'] as unknown as Body[])[0]
    const path = `/tenant/roles/${Number(role?.['id'])}`
    const held = role?.['permissions'] as unknown as string[]
    const source = platform.test.kernel.services.get(access).addPermissionSource({
      permissions: (_tenantId, codes) =>
        Promise.resolve(codes.includes('tenant_owner') ? ['plugin.guestbook:read'] : []),
      declared,
    })
    await platform.test.kernel.services.get(access).invalidate('all')
    const answers = [
      await acme.owner.delete(path),
      await acme.owner.put(path, { name: 'Visitor' }),
      await acme.owner.put(path, { permissions: ['tenant_user:list'] }),
      await acme.owner.put(path, { permissions: ['plugin.guestbook:write'] }),
      await acme.owner.put(path, { permissions: [...held, 'plugin.guestbook:read'] }),
    ]
    source[Symbol.dispose]()
    await platform.test.kernel.services.get(access).invalidate('all')
    assert.deepEqual(answers.map(codeOf), [
      [409, 4094],
      [409, 4094],
      [409, 4094],
      [403, 4031],
      [200, 0],
    ])
    assert.deepEqual(answers.at(-1)?.body['data']?.['permissions'], ['plugin.guestbook:read', ...held])
  })

  it('lose what an uninstalled plugin gave them', async () => {
    const { services, database } = platform.test.kernel
    const source = services.get(access).addPermissionSource({
      permissions: () => Promise.resolve(['plugin.guestbook:read', 'plugin.guestbook:write']),
      declared,
    })
    await services.get(access).invalidate('all')
    const id = await createRole('writer', ['plugin.guestbook:*', 'plugin.guestbook:read', 'tenant_user:list'])
    source[Symbol.dispose]()
    const changed = await database.knex.transaction((trx) =>
      services.get(access).removePermissions('plugin.guestbook:*', trx),
    )
    await services.get(access).invalidate('all')
    const read = await acme.owner.get(`/tenant/roles/${id}`)
    assert.deepEqual([changed >= 1, read.body['data']?.['permissions']], [true, ['tenant_user:list']])
  })

  it('have a code that no other role of the tenant has, also when several come at once', async () => {
    const role = { code: 'unique', name: 'Unique' }
    const answers = await Promise.all([1, 2, 3].map(() => acme.owner.post('/tenant/roles', role)))
    const elsewhere = await other.owner.post('/tenant/roles', role)
    assert.deepEqual([...answers.map(({ body }) => body['code']).sort(), elsewhere.status], [0, 4091, 4091, 201])
  })

  it('that somebody holds are not deleted', async () => {
    const id = await createRole('held', [])
    const user = await platform.createUser(acme, 'holder@acme.test', ['held'])
    const inUse = await acme.owner.delete(`/tenant/roles/${id}`)
    await acme.owner.delete(`/tenant/users/${user.id}`)
    const deleted = await acme.owner.delete(`/tenant/roles/${id}`)
    assert.deepEqual(
      [codeOf(inUse), inUse.body['details'], deleted.status],
      [[409, 4095], { by: { users: 1, orgs: 0 } }, 200],
    )
  })

  it('that are deleted while they are given are no roles', async () => {
    const id = await createRole('fleeting', [])
    const { services, database } = platform.test.kernel
    const deletion = await database.knex.transaction()
    await deletion('access_roles').queryContext({ tenant: acme.id }).delete().where({ id })
    const assigned = database.knex.transaction((trx) =>
      services.get(access).assignRoles(acme.id, acme.ownerId, ['tenant_owner', 'fleeting'], trx),
    )
    const refused = assert.rejects(assigned, { code: 4220 })
    const waits = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await until(async () => (await database.knex.raw<{ rows: unknown[] }>(waits)).rows.length > 0)
    await deletion.commit()
    await refused
  })

  it('of another tenant are not there', async () => {
    const id = await createRole('private', [])
    const path = `/tenant/roles/${id}`
    const answers = [
      await other.owner.get(path),
      await other.owner.put(path, { name: 'x' }),
      await other.owner.delete(path),
      await platform.admin.get(`/admin/roles/${id}`),
    ]
    assert.deepEqual(answers.map(codeOf), Array(4).fill([404, 4040]))
  })
})
