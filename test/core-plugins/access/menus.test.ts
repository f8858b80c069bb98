import assert from 'node:assert/strict'
import { definePlugin } from '#kernel'
import { access } from '../../../core-plugins/access/contract.ts'
import type { Answer, Body } from '../../support/api.ts'
import { identityPlugins, startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'

const guestbook = definePlugin({
  name: 'guestbook',
  version: '1.0.0',
  title: { default: 'Guestbook' },
  description: { default: 'Stands for a third-party plugin' },
  permissions: [{ resource: 'plugin.guestbook', scope: 'TENANT', actions: { read: 'Read the book' } }],
  menus: [
    {
      name: 'plugin.guestbook.book',
      title: { default: 'Book' },
      area: 'tenant',
      type: 'plugin',
      path: '/book',
      sort: 1,
    },
  ],
  setup: () => undefined,
})

const itemsOf = (answer: Answer): readonly Body[] => dataOf(answer)['items'] as unknown as Body[]

/** Every entry of a tree, by name. */
function flat(items: readonly Body[]): ReadonlyMap<unknown, Body> {
  return new Map(
    items.flatMap((item) => [[item['name'], item] as const, ...flat(item['children'] as unknown as Body[])]),
  )
}

describe('menus', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform({ plugins: [...identityPlugins, guestbook] })
    acme = await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  const shown = async (answer: Promise<Answer>): Promise<ReadonlyMap<unknown, Body>> => flat(itemsOf(await answer))

  it('show a caller what they may use, without empty folders, in their language', async () => {
    const user = await platform.createUser(acme, 'plain@acme.test', ['tenant_user'])
    const headers = { 'accept-language': 'zh-CN' }
    const admin = await shown(platform.admin.get('/permissions/menus'))
    const owner = await shown(acme.owner.get('/permissions/menus', { headers }))
    const plain = await shown(user.api.get('/permissions/menus'))
    const below = (menus: ReadonlyMap<unknown, Body>, name: string): unknown =>
      (menus.get(name)?.['children'] as unknown as Body[] | undefined)?.map((menu) => [menu['name'], menu['title']])
    assert.deepEqual(below(admin, 'admin_people'), [
      ['admin_users', 'Users'],
      ['admin_roles', 'Roles'],
      ['admin_permissions', 'Permissions'],
    ])
    assert.deepEqual(below(owner, 'tenant_people'), [
      ['tenant_users', '用户'],
      ['tenant_orgs', '组织架构'],
      ['tenant_roles', '角色'],
    ])
    assert.deepEqual([admin.has('tenant_people'), owner.has('admin_people')], [false, false])
    assert.deepEqual([plain.has('user_profile'), plain.has('tenant_people')], [true, false])
  })

  it('are not sent again when they are the same', async () => {
    const first = await platform.admin.get('/permissions/menus')
    const headers = { 'if-none-match': String(first.headers['etag']) }
    const second = await platform.admin.get('/permissions/menus', { headers })
    assert.deepEqual([first.status, second.status], [200, 304])
  })

  it('of a plugin are there for the tenants it is assigned to', async () => {
    const grants = platform.test.kernel.services.get(access)
    const without = await shown(acme.owner.get('/permissions/menus'))
    const source = grants.addPermissionSource({
      permissions: (tenantId, codes) =>
        Promise.resolve(tenantId === acme.id && codes.includes('tenant_owner') ? ['plugin.guestbook:read'] : []),
      declared: () => Promise.resolve([]),
    })
    const other = await platform.createTenant('other')
    const [here, there] = [
      await shown(acme.owner.get('/permissions/menus')),
      await shown(other.owner.get('/permissions/menus')),
    ]
    source[Symbol.dispose]()
    const has = [without, here, there].map((menus) => menus.has('plugin.guestbook.book'))
    assert.deepEqual(has, [false, true, false])
  })

  it('are arranged by the platform, and put back', async () => {
    const path = '/admin/menus/tenant_roles'
    const before = await shown(acme.owner.get('/permissions/menus'))
    dataOf(await platform.admin.put(path, { title: 'Ranks', sort: -5, hidden: true }))
    dataOf(await platform.admin.put(path, { parent: null }))
    const arranged = await shown(acme.owner.get('/permissions/menus'))
    const { title, sort, parent_id: parentId, meta } = arranged.get('tenant_roles') ?? {}
    assert.deepEqual([title, sort, parentId, meta?.['hidden']], ['Ranks', -5, null, true])
    const managed = await shown(acme.owner.get('/tenant/menus'))
    const overrides = { title: 'Ranks', sort: -5, hidden: true, parent: null }
    assert.deepEqual(managed.get('tenant_roles')?.['overrides'], overrides)
    dataOf(await platform.admin.put(path, { moved: false }))
    const back = await shown(acme.owner.get('/tenant/menus'))
    const declared = before.get('tenant_roles')?.['parent_id'] as unknown
    assert.notEqual(declared, null)
    assert.deepEqual(back.get('tenant_roles')?.['parent_id'], declared)
    assert.deepEqual(back.get('tenant_roles')?.['overrides'], { title: 'Ranks', sort: -5, hidden: true })
    assert.equal((await platform.admin.put(path, { moved: true })).status, 422)
    assert.deepEqual(dataOf(await platform.admin.delete(path)), { deleted: true })
    assert.deepEqual(await shown(acme.owner.get('/permissions/menus')), before)
  })

  it('are named in each language, and where one has no name, as they were declared', async () => {
    const path = '/admin/menus/tenant_roles'
    const titleIn = async (language: string) => {
      const menus = await shown(acme.owner.get('/permissions/menus', { headers: { 'accept-language': language } }))
      return menus.get('tenant_roles')?.['title'] as unknown
    }
    dataOf(await platform.admin.put(path, { titles: { en: 'Ranks', 'zh-CN': '职级' } }))
    assert.deepEqual([await titleIn('en'), await titleIn('zh-CN')], ['Ranks', '职级'])
    const managed = (await shown(acme.owner.get('/tenant/menus'))).get('tenant_roles')
    assert.deepEqual(
      [managed?.['overrides'], managed?.['declared_titles']],
      [{ titles: { en: 'Ranks', 'zh-CN': '职级' } }, { en: 'Roles', 'zh-CN': '角色' }],
    )
    dataOf(await platform.admin.put(path, { titles: { 'zh-CN': '职级' } }))
    assert.deepEqual([await titleIn('en'), await titleIn('zh-CN')], ['Roles', '职级'])
    dataOf(await platform.admin.put(path, { title: 'Anywhere' }))
    assert.deepEqual([await titleIn('en'), await titleIn('zh-CN')], ['Anywhere', '职级'])
    dataOf(await platform.admin.put(path, { titles: null, title: null }))
    assert.deepEqual([await titleIn('en'), await titleIn('zh-CN')], ['Roles', '角色'])
    const faults = [{ titles: {} }, { titles: { fr: 'Rangs' } }, { titles: { en: ' ' } }]
    const codes = await Promise.all(faults.map(async (body) => refusalOf(await platform.admin.put(path, body)).code))
    assert.deepEqual(codes, [4220, 4220, 4220])
    dataOf(await platform.admin.delete(path))
  })

  it('refuse circles, other areas, names that are not there', async () => {
    const put = (name: string, body: unknown): Promise<Answer> => platform.admin.put(`/admin/menus/${name}`, body)
    dataOf(await put('admin_people', { parent: 'admin_system' }))
    const answers = [
      await put('admin_system', { parent: 'admin_people' }),
      await put('admin_system', { parent: 'admin_system' }),
      await put('admin_system', { parent: 'tenant_people' }),
      await put('admin_system', { parent: 'nowhere' }),
      await put('nowhere', { sort: 1 }),
      await put('admin_system', {}),
      await platform.admin.delete('/admin/menus/nowhere'),
    ]
    dataOf(await platform.admin.delete('/admin/menus/admin_people'))
    assert.deepEqual(
      answers.map((answer) => Object.values(refusalOf(answer))),
      [
        [409, 4096, 'menu_cycle'],
        [409, 4096, 'menu_cycle'],
        [422, 4220, 'validation_failed'],
        [422, 4220, 'validation_failed'],
        [404, 4040, 'not_found'],
        [422, 4220, 'validation_failed'],
        [404, 4040, 'not_found'],
      ],
    )
  })

  it('never go in a circle when two are moved at once', async () => {
    const put = (name: string, parent: string): Promise<Answer> =>
      platform.admin.put(`/admin/menus/${name}`, { parent })
    const answers = await Promise.all([put('admin_people', 'admin_system'), put('admin_system', 'admin_people')])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    for (const name of ['admin_people', 'admin_system']) dataOf(await platform.admin.delete(`/admin/menus/${name}`))
  })

  it('are arranged only by who may', async () => {
    const answers = [
      await acme.owner.get('/admin/menus'),
      await acme.owner.put('/admin/menus/tenant_roles', { hidden: true }),
      await platform.admin.get('/tenant/menus'),
    ]
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body['code']]),
      Array(3).fill([403, 4033]),
    )
  })
})
