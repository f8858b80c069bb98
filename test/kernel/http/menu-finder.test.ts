import assert from 'node:assert/strict'
import { menuFinder } from '../../../kernel/http/openapi/menu-finder.ts'

describe('the menu of an operation', () => {
  const find = menuFinder([
    { name: 'people', type: 'dir' },
    { name: 'admin_users', type: 'menu', path: '/admin/users', permission: 'platform_user:list' },
    { name: 'tenant_users', type: 'menu', path: '/tenant/users', permission: 'tenant_user:list' },
    { name: 'log', type: 'menu', path: '/admin/role-log', permission: 'role:audit' },
    { name: 'roles', type: 'menu', path: '/admin/roles', permission: 'role:list' },
    { name: 'matrix', type: 'menu', path: '/admin/roles/matrix', permission: 'role:list' },
    { name: 'elsewhere', type: 'link', path: '/link', permission: 'link:read' },
  ])
  const of = (path: string, permission?: string) => find({ path, ...(permission !== undefined && { permission }) })

  it('is the one whose page it is below, or else the one that lists its resource', () => {
    assert.deepEqual(
      [
        of('/admin/users', 'platform_user:list'),
        of('/admin/users/{id}', 'platform_user:delete'),
        of('/admin/roles/matrix/{id}', 'role:update'),
        of('/admin/roles-of-others', 'role:audit'),
        of('/elsewhere', 'role:create'),
      ],
      ['admin_users', 'admin_users', 'matrix', 'roles', 'roles'],
    )
  })

  it('is one for each scope where they differ, as far as there is one', () => {
    const both = { platform: 'platform_user:update', tenant: 'tenant_user:update' }
    assert.deepEqual(find({ path: '/users', permission: both }), { platform: 'admin_users', tenant: 'tenant_users' })
    const one = { platform: 'none:update', tenant: 'tenant_user:update' }
    assert.deepEqual(find({ path: '/users', permission: one }), { tenant: 'tenant_users' })
    assert.equal(find({ path: '/users', permission: { platform: 'none:update', tenant: 'none:read' } }), undefined)
  })

  it('is none where nothing is asked for, no page is, or what leads elsewhere', () => {
    assert.deepEqual([of('/a'), of('/link', 'link:read'), of('/b', 'none:read')], [undefined, undefined, undefined])
  })
})
