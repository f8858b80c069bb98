import assert from 'node:assert/strict'
import type { Answer, Api, Body } from '../../support/api.ts'
import { createTenant, createUser, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'

const all = 'plugin.acme.desk:*'
const mine = '/tenant/plugins/acme.desk/api'

/** A plugin with one right for the platform's side and two for the tenant's. */
function packDesk(): Promise<Buffer> {
  const permissions = ['audit', 'read', 'write'].map((code) => ({ code, title: { default: code } }))
  const route = (path: string, permission: string) => ({ method: 'GET', path, handler: 'seen', permission })
  const routes = {
    admin_routes: [route('/audit', 'audit')],
    tenant_routes: [route('/read', 'read'), route('/write', 'write')],
  }
  return packSmall('acme.desk', { permissions, ...routes }, '{ handlers: { seen: () => ({ seen: true }) } }')
}

describe('the rights of a plugin, in a tenant’s roles', () => {
  let platform: Platform
  let admin: Api
  let one: { readonly owner: Api; readonly id: number }
  let two: { readonly owner: Api; readonly id: number }
  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    one = await createTenant(admin, 'one')
    two = await createTenant(admin, 'two')
    await installAndEnable(admin, await packDesk())
    dataOf(await admin.post('/plugins/acme.desk/tenants', { tenant_ids: [one.id] }))
    dataOf(await one.owner.post('/tenant/plugins/acme.desk/enable'))
  })
  after(() => platform[Symbol.asyncDispose]())

  const create = (by: Api, code: string, permissions: readonly string[]): Promise<Answer> =>
    by.post('/tenant/roles', { code, name: code, permissions })
  const refused = ({ status, body }: Answer): unknown => [
    status,
    body['code'],
    (body['errors'] as unknown as readonly Body[] | undefined)?.map(({ field }) => field),
  ]

  it('are given by the owner all at once, and a holder may do what they mean', async () => {
    const clerk = await createUser(one.owner, 'one', [all])
    assert.deepEqual([(await clerk.get(`${mine}/read`)).status, (await clerk.get(`${mine}/write`)).status], [200, 200])
    assert.equal((await clerk.get('/admin/plugins/acme.desk/api/audit')).status, 403)
    const { id } = dataOf(await create(one.owner, 'later', []), 201)
    const changed = dataOf(await one.owner.put(`/tenant/roles/${Number(id)}`, { permissions: [all] }))
    assert.deepEqual(changed['permissions'], [all])
  })

  it('are given all at once by nobody who holds but some', async () => {
    const some = await createUser(one.owner, 'one', [
      ...['create', 'update', 'list'].map((action) => `tenant_role:${action}`),
      'plugin.acme.desk:read',
    ])
    const above = { status: 403, code: 4031, reason: 'role_above_caller' }
    assert.deepEqual(refusalOf(await create(some, 'wide', [all])), above)
    assert.equal((await create(some, 'narrow', ['plugin.acme.desk:read'])).status, 201)
  })

  it('are those of the tenant’s side, of plugins that the tenant has', async () => {
    assert.deepEqual(refused(await create(one.owner, 'auditor', ['plugin.acme.desk:audit'])), [
      422,
      4220,
      ['permissions'],
    ])
    for (const permission of [all, 'plugin.acme.desk:read']) {
      assert.deepEqual(refused(await create(two.owner, 'foreign', [permission])), [422, 4220, ['permissions']])
    }
  })

  it('are offered to the roles of each side', async () => {
    const offered = async (api: Api, path: string) => {
      const items = dataOf(await api.get(path))['items'] as unknown as readonly {
        resource: string
        actions: { action: string }[]
      }[]
      const own = items.filter(({ resource }) => resource === 'plugin.acme.desk')
      return own.flatMap(({ actions }) => actions.map(({ action }) => action))
    }
    assert.deepEqual(
      [
        await offered(one.owner, '/tenant/permissions'),
        await offered(two.owner, '/tenant/permissions'),
        await offered(admin, '/admin/permissions'),
      ],
      [['read', 'write'], [], ['audit']],
    )
  })

  it('are nobody’s to give once the plugin is disabled', async () => {
    dataOf(await admin.post('/plugins/acme.desk/disable'))
    assert.deepEqual(refused(await create(one.owner, 'late', [all])), [422, 4220, ['permissions']])
  })
})
