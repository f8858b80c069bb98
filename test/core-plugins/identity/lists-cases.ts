import type { Api } from '../../support/api.ts'
import type { TestPlatform, TestTenant } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'

/** A paged list with rows in it. */
export interface ListCase {
  readonly path: string
  readonly by: Api
  /** The member of an item that a search looks at. */
  readonly field: string
  /** A search that finds one item, and would find more if it were a pattern. */
  readonly search?: { readonly q: string; readonly finds: string }
  /** Fields to sort by. */
  readonly sortable: readonly string[]
}

const userSort = ['created_at', 'id', 'account', 'email', 'nickname', 'status', 'last_login_at']
const roleSort = ['id', 'code', 'name', 'status', 'created_at', 'updated_at']
const sessionSort = ['last_used_at', 'created_at', 'device_name']

/** Fills every list of who calls and what they may do, each with three rows at least. */
export async function fillLists({ admin, test }: TestPlatform, acme: TestTenant): Promise<readonly ListCase[]> {
  const { owner } = acme
  const make = async (by: Api, path: string, body: object): Promise<number> =>
    Number(dataOf(await by.post(path, body), 201)['id'])
  const roles = ['tenant_user']
  const users: number[] = []
  const account = { email: 'ann@acme.test', password: 'a long enough passphrase' }
  users.push(await make(owner, '/tenant/users', { ...account, roles, nickname: '50%' }))
  for (const nickname of ['500', '5%0']) {
    users.push(await make(owner, '/tenant/users', { email: `u${users.length}@acme.test`, roles, nickname }))
  }
  for (const name of ['a_b', 'axb']) {
    await make(admin, '/admin/users', { email: `${name}@stoa.test`, roles: ['platform_auditor'], nickname: name })
    await make(admin, '/admin/roles', { code: name, name, permissions: [] })
    await make(owner, '/tenant/roles', { code: name, name, permissions: [] })
    await make(owner, '/tenant/users/invites', { email: `${name}@acme.test`, roles, send: false })
    const ofTenant = { email: 'owner@b.test', password: account.password }
    const code = name.replace('_', '-')
    await make(admin, '/admin/tenants', { code, name, owner: ofTenant })
  }
  await make(owner, '/tenant/users/invites', { email: 'c@acme.test', roles, send: false })
  const node = await make(owner, '/tenant/orgs', { name: 'a_b', code: 'one' })
  await make(owner, '/tenant/orgs', { name: 'axb', code: 'two', parent_id: node })
  dataOf(await owner.put(`/tenant/orgs/${node}/members`, { user_ids: users }))
  for (const device of ['a_b', 'axb', 'c']) {
    const login = { account: account.email, password: account.password, tenant_code: 'acme', device_name: device }
    dataOf(await test.api.post('/auth/login/json', login))
  }
  const held = dataOf(await owner.get('/tenant/roles?q=tenant_user'))['items'] as unknown as readonly { id: number }[]
  const underscore = { q: 'a_b', finds: 'a_b' }
  return [
    {
      by: admin,
      path: '/admin/tenants',
      field: 'name',
      search: underscore,
      sortable: ['created_at', 'id', 'code', 'name', 'status'],
    },
    { by: admin, path: '/admin/users', field: 'nickname', search: underscore, sortable: userSort },
    { by: admin, path: '/admin/roles', field: 'code', search: underscore, sortable: roleSort },
    { by: owner, path: '/tenant/users', field: 'nickname', search: { q: '50%', finds: '50%' }, sortable: userSort },
    { by: owner, path: '/tenant/roles', field: 'code', search: underscore, sortable: roleSort },
    {
      by: owner,
      path: '/tenant/orgs',
      field: 'name',
      search: underscore,
      sortable: ['sort', 'name', 'code', 'id', 'created_at'],
    },
    {
      by: owner,
      path: '/tenant/users/invites',
      field: 'email',
      search: { q: 'a_b', finds: 'a_b@acme.test' },
      sortable: ['created_at', 'id', 'email', 'expires_at'],
    },
    {
      by: owner,
      path: `/tenant/users/${users[0]}/sessions`,
      field: 'device_name',
      search: underscore,
      sortable: sessionSort,
    },
    { by: owner, path: `/tenant/orgs/${node}/members`, field: 'user_id', sortable: ['user_id'] },
    { by: owner, path: `/tenant/roles/${held[0]?.id}/users`, field: 'user_id', sortable: ['user_id'] },
  ]
}
