import assert from 'node:assert/strict'
import type { Api, Body } from '../../support/api.ts'
import { createTenant, createUser, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'

describe('what tenants have', () => {
  let platform: Platform
  let admin: Api
  let first: { owner: Api; id: number }
  let second: { owner: Api; id: number }

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    first = await createTenant(admin, 'first')
    second = await createTenant(admin, 'second')
    await createUser(first.owner, 'first', ['tenant_role:list'])
    for (const name of ['acme.one', 'acme.two']) await installAndEnable(admin, await packSmall(name, {}, '{}'))
    for (const name of ['acme.one', 'acme.two']) {
      dataOf(await admin.post(`/admin/plugins/${name}/tenants`, { tenant_ids: [first.id] }))
    }
    dataOf(await admin.delete(`/admin/plugins/acme.two/tenants/${first.id}`))
  })
  after(() => platform[Symbol.asyncDispose]())

  it('stands in their list and on their page: users, assigned plugins and who owns them', async () => {
    const { items } = dataOf(await admin.get('/admin/tenants?sort=code')) as unknown as { items: Body[] }
    const ownerOf = async (api: Api, email: string) => {
      const id = dataOf(await api.get('/auth/me'))['user']?.['id'] as unknown
      return { id, nickname: email, email, avatar_url: '' }
    }
    const shown = items.map(({ code, users, plugins, owner }) => ({ code, users, plugins, owner }))
    assert.deepEqual(shown, [
      { code: 'first', users: 2, plugins: 1, owner: await ownerOf(first.owner, 'owner@first.test') },
      { code: 'second', users: 1, plugins: 0, owner: await ownerOf(second.owner, 'owner@second.test') },
    ])
    assert.deepEqual(dataOf(await admin.get(`/admin/tenants/${first.id}`)), items[0])
  })

  it('is asked for all rows of a page at once', async () => {
    const { knex } = platform.host.kernel.database
    const asked = async (path: string): Promise<number> => {
      let count = 0
      const counting = ({ sql }: { readonly sql: string }): void => {
        if (/from "?(tenants|tenant_domains|users|access_user_roles|plugin_tenants)\b/.test(sql)) count++
      }
      knex.on('query', counting)
      dataOf(await admin.get(path))
      knex.removeListener('query', counting)
      return count
    }
    // The fewest of a few: what the platform asks by itself meanwhile is no part of it.
    const fewest = async (path: string): Promise<number> =>
      Math.min(await asked(path), await asked(path), await asked(path))
    const one = await fewest('/admin/tenants?page_size=1')
    const all = await fewest('/admin/tenants?page_size=100')
    assert.equal(all, one)
    assert.ok(one >= 5, String(one))
  })

  it('is nobody’s business who may not list them, and a plugin’s list tells the tenants’ own', async () => {
    assert.equal(refusalOf(await first.owner.get('/admin/tenants')).code, 4033)
    const { items } = dataOf(await admin.get(`/admin/plugins?tenant_id=${first.id}`)) as unknown as { items: Body[] }
    assert.deepEqual(
      items.map(({ name }) => name as unknown),
      ['acme.one'],
    )
  })
})
