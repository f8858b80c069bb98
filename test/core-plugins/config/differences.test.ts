import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { textOf } from '../../support/attachments.ts'
import type { Body } from '../../support/api.ts'
import { createTenant, createUser, dataOf, startPlatform, type Platform } from '../../support/platform.ts'

describe('settings of a tenant that differ from the platform’s', function () {
  this.timeout(120_000)
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

  it('are for nobody of a tenant, and for staff that may read configuration', async () => {
    const { owner, id } = await createTenant(platform.admin, 'closed')
    const path = `/admin/configs/tenants/${id}/differences`
    const user = await createUser(owner, 'closed', ['tenant_config:detail'])
    assert.deepEqual([(await user.get(path)).status, (await owner.get(path)).status], [403, 403])
    assert.equal((await platform.admin.get('/admin/configs/tenants/0/differences')).status, 422)
  })
})
