import assert from 'node:assert/strict'
import type { Api, Body } from '../../support/api.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'

describe('names beside ids in configuration', () => {
  let platform: Platform
  let admin: Api
  const tenants: { owner: Api; id: number }[] = []
  const brand = '/tenant/configs/groups/tenant_basic'

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    for (const code of ['north', 'south', 'west']) tenants.push(await createTenant(admin, code))
    dataOf(await admin.put('/admin/configs/groups/platform_tenant_policy', { tenant_config_approval: 'all' }))
    for (const { owner } of tenants) dataOf(await owner.put(brand, { icp: 'new' }), 202)
  })
  after(() => platform[Symbol.asyncDispose]())

  const changes = async (by: Api, path: string) => (dataOf(await by.get(path)) as unknown as { items: Body[] }).items

  it('tell whose change waits and who asked for it, to the tenant of its own people alone', async () => {
    const north = tenants[0]!
    const items = await changes(admin, '/admin/configs/changes?sort=-id')
    assert.deepEqual(
      items.map((one) => [
        one['tenant'] as object,
        one['requested_by_name'] as unknown,
        one['decided_by_name'] as unknown,
      ]),
      ['west', 'south', 'north'].map((code, at) => {
        return [{ id: tenants[2 - at]?.id, code, name: code }, `owner@${code}.test`, null]
      }),
    )
    dataOf(await admin.post(`/admin/configs/changes/${Number(items[2]?.['id'])}/approve`, {}))
    const [seen] = await changes(admin, `/admin/configs/changes?tenant_id=${north.id}`)
    const [own] = await changes(north.owner, '/tenant/configs/changes')
    const names = (one: Body | undefined) => [one?.['requested_by_name'], one?.['decided_by_name']] as unknown[]
    assert.deepEqual(
      [names(seen), names(own)],
      [
        ['owner@north.test', 'admin@stoa.test'],
        ['owner@north.test', null],
      ],
    )
  })

  it('are asked for all rows at once', async () => {
    const { knex } = platform.host.kernel.database
    const asked = async (size: number): Promise<number> => {
      let count = 0
      const counting = ({ sql }: { readonly sql: string }): void =>
        void (/from "?(users|tenants)\b/.test(sql) && count++)
      knex.on('query', counting)
      await changes(admin, `/admin/configs/changes?page_size=${size}`)
      knex.removeListener('query', counting)
      return count
    }
    const one = await asked(1)
    assert.deepEqual([await asked(3), one >= 2], [one, true])
  })

  it('tell who changed a value last', async () => {
    dataOf(await admin.put('/admin/configs/groups/platform_tenant_policy', { tenant_config_approval: 'off' }))
    const { owner } = tenants[1]!
    const [waiting] = await changes(admin, `/admin/configs/changes?tenant_id=${tenants[1]!.id}`)
    dataOf(await admin.post(`/admin/configs/changes/${Number(waiting?.['id'])}/reject`, {}))
    const items = async (by: Api, path: string) => (dataOf(await by.get(path)) as unknown as { items: Body[] }).items
    dataOf(await owner.put(brand, { icp: 'newer' }))
    const icp = (await items(owner, brand)).find(({ key }) => (key as unknown) === 'icp')
    const policy = await items(admin, '/admin/configs/groups/platform_tenant_policy')
    const mode = policy.find(({ key }) => (key as unknown) === 'tenant_config_approval')
    assert.deepEqual([icp?.['updated_by_name'], mode?.['updated_by_name']] as unknown[], [
      'owner@south.test',
      'admin@stoa.test',
    ])
    const untouched = (await items(owner, brand)).find(({ is_set: isSet }) => !isSet)
    assert.equal(untouched?.['updated_by_name'], null)
  })
})
