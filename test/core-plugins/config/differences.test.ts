import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { textOf } from '../../support/attachments.ts'
import type { Api, Body } from '../../support/api.ts'
import { createTenant, createUser, dataOf, startPlatform, type Platform } from '../../support/platform.ts'

/** How many tenants have their own value of a setting. */
interface Count {
  readonly key: string
  readonly tenants: number
}

describe('settings of a tenant that differ from the platform’s', () => {
  let platform: Platform
  before(async () => (platform = await startPlatform()))
  after(() => platform[Symbol.asyncDispose]())

  it('are listed with both values for the platform, in its language, without secrets', async () => {
    const { admin } = platform
    const { owner, id } = await createTenant(admin, 'differs')
    const path = `/admin/configs/tenants/${id}/differences`
    const differences = async () => dataOf(await admin.get(path))['items'] as unknown as readonly Body[]
    assert.deepEqual(await differences(), [])
    dataOf(await admin.put('/admin/configs/groups/tenant_login', { login_title: 'Everybody' }))
    dataOf(await owner.put('/tenant/configs/groups/tenant_login', { login_title: 'Ours' }))
    const [row, ...others] = await differences()
    assert.deepEqual(others, [])
    assert.deepEqual(
      [row?.['key'], row?.['group'], row?.['value'], row?.['platform_value']],
      ['login_title', 'tenant_login', 'Ours', 'Everybody'],
    )
    assert.ok(Date.now() - Date.parse(textOf(row?.['updated_at'])) < 60_000)
    const inChinese = await admin.get(path, { headers: { 'accept-language': 'zh-CN' } })
    assert.notDeepEqual(dataOf(inChinese)['items'], [row])
    dataOf(await owner.put('/tenant/configs/groups/tenant_login', { login_title: 'Everybody' }))
    assert.deepEqual(await differences(), [])
  })

  it('are counted for each setting of a group of theirs', async () => {
    const { admin } = platform
    const group = '/admin/configs/groups/tenant_basic'
    const counts = async () => {
      const { items } = dataOf(await admin.get(`${group}/tenants`)) as unknown as { readonly items: readonly Count[] }
      const found = items.filter(({ tenants }) => tenants > 0)
      return Object.fromEntries(found.map(({ key, tenants }) => [key, tenants] as const))
    }
    assert.deepEqual(await counts(), {})
    const owners = [(await createTenant(admin, 'first')).owner, (await createTenant(admin, 'second')).owner] as const
    const set = async (by: Api, values: object) => dataOf(await by.put('/tenant/configs/groups/tenant_basic', values))
    await set(owners[0], { brand_color: '#123456', icp: 'one' })
    await set(owners[1], { brand_color: '#654321' })
    assert.deepEqual(await counts(), { brand_color: 2, icp: 1 })
    // Who has what everybody has, has nothing of their own.
    dataOf(await admin.put(group, { brand_color: '#123456' }))
    assert.deepEqual(await counts(), { brand_color: 1, icp: 1 })
    await set(owners[1], { reset: ['brand_color'] })
    assert.deepEqual(await counts(), { icp: 1 })
    assert.deepEqual(dataOf(await admin.get('/admin/configs/groups/platform_basic/tenants'))['items'], [])
    assert.equal((await admin.get('/admin/configs/groups/nothing/tenants')).status, 404)
    assert.equal((await owners[0].get(`${group}/tenants`)).status, 403)
  })

  it('are for nobody of a tenant, and for staff that may read configuration', async () => {
    const { owner, id } = await createTenant(platform.admin, 'closed')
    const path = `/admin/configs/tenants/${id}/differences`
    const user = await createUser(owner, 'closed', ['tenant_config:detail'])
    assert.deepEqual([(await user.get(path)).status, (await owner.get(path)).status], [403, 403])
    assert.equal((await platform.admin.get('/admin/configs/tenants/0/differences')).status, 422)
  })
})
