import assert from 'node:assert/strict'
import { menuFinder } from '../../../kernel/http/openapi/menu-finder.ts'

describe('the menu of an operation', () => {
  const find = menuFinder([
    { name: 'people', type: 'dir' },
    { name: 'admin_users', type: 'menu', permission: 'platform_user:list' },
    { name: 'tenant_users', type: 'menu', permission: 'tenant_user:list' },
    { name: 'roles', type: 'menu', permission: 'role:list' },
    { name: 'matrix', type: 'menu', permission: 'role:list' },
    { name: 'log', type: 'menu', permission: 'role:audit' },
    { name: 'elsewhere', type: 'link', permission: 'link:read' },
  ])

  it('is the one with its permission, or else the first of its resource', () => {
    assert.deepEqual(['platform_user:list', 'platform_user:delete', 'role:audit', 'role:create'].map(find), [
      ...['admin_users', 'admin_users', 'log', 'roles'],
    ])
  })

  it('is one for each scope where they differ, as far as there is one', () => {
    assert.deepEqual(find({ platform: 'platform_user:update', tenant: 'tenant_user:update' }), {
      platform: 'admin_users',
      tenant: 'tenant_users',
    })
    assert.deepEqual(find({ platform: 'none:update', tenant: 'tenant_user:update' }), { tenant: 'tenant_users' })
    assert.equal(find({ platform: 'none:update', tenant: 'none:read' }), undefined)
  })

  it('is none where nothing is asked for, no page is, or what leads elsewhere', () => {
    assert.deepEqual([undefined, 'link:read', 'none:read'].map(find), [undefined, undefined, undefined])
  })
})
