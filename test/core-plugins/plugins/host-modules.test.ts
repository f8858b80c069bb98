import assert from 'node:assert/strict'
import { createTenant, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall, upload } from '../../support/small-plugin.ts'

const route = { tenant_routes: [{ method: 'GET', path: '/day', handler: 'day' }] }
const module = `{ handlers: { day: () => dayjs('2026-03-01').subtract(1, 'day').format('YYYY-MM-DD') } }`

describe('a plugin that imports modules of the host', () => {
  let platform: Platform
  before(async () => (platform = await startPlatform()))
  after(() => platform[Symbol.asyncDispose]())

  it('is installed where they are shipped, and runs with them', async () => {
    const { admin } = platform
    const { items } = dataOf(await admin.get('/plugins/host-modules'))
    const shipped = (items as unknown as { name: string; version: string }[]).find(({ name }) => name === 'dayjs')
    const zip = await packSmall(
      'acme.dates',
      { hostModules: [`dayjs@^${shipped?.version}`], ...route },
      `${module}\nimport dayjs from 'dayjs'`,
    )
    await installAndEnable(admin, zip)
    const { owner, id } = await createTenant(admin, 'dates')
    dataOf(await admin.post('/plugins/acme.dates/tenants', { tenant_ids: [id] }))
    dataOf(await owner.post('/tenant/plugins/acme.dates/enable'))
    assert.equal(dataOf(await owner.get('/tenant/plugins/acme.dates/api/day')), '2026-02-28')
  })

  for (const wanted of ['dayjs@^99', 'lodash@*', 'isolated-vm@*', 'pg@*', 'constructor@*']) {
    it(`is refused when it wants ${wanted}, with what there is`, async () => {
      const refused = await upload(platform.admin, await packSmall('acme.wants', { hostModules: [wanted] }))
      assert.deepEqual(refusalOf(refused), { status: 400, code: 4009, reason: 'plugin_incompatible' })
      const [fault] = refused.body['errors'] as unknown as { field: string; rule: string; message: string }[]
      assert.deepEqual([fault?.field, fault?.rule], ['hostModules.0', 'host_module'])
      assert.match(String(fault?.message), /dayjs \d+\.\d+\.\d+/)
    })
  }

  it('is refused when it imports what it does not declare', async () => {
    const zip = await packSmall('acme.sly', route, `${module}\nimport dayjs from 'dayjs'`)
    assert.deepEqual(refusalOf(await upload(platform.admin, zip)), {
      status: 400,
      code: 4009,
      reason: 'plugin_not_loadable',
    })
  })
})
