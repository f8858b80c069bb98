import assert from 'node:assert/strict'
import { corePlugins } from '../../../core-plugins/index.ts'
import { startTestPlatform, type TestPlatform } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'

interface Offered {
  readonly items: readonly { readonly actions: readonly { readonly permission: string; readonly title: string }[] }[]
}

describe('what permissions let one do', () => {
  let platform: TestPlatform

  before(async () => {
    platform = await startTestPlatform({ plugins: corePlugins.filter(({ name }) => name !== 'first_run') })
  })
  after(() => platform[Symbol.asyncDispose]())

  it('is told in the language of who reads it, of each of them, those of plugins included', async () => {
    const own = { code: 'tell', title: { default: 'Tell', 'zh-CN': '讲述' } }
    const route = { method: 'GET', path: '/told', handler: 'tell', permission: 'tell' }
    const manifest = { permissions: [own], admin_routes: [route] }
    await installAndEnable(platform.admin, await packSmall('acme.told', manifest, '{ handlers: { tell: () => null } }'))
    const tenant = await platform.createTenant('told')
    const chinese = { headers: { 'accept-language': 'zh-CN' } }
    const staff = titles(await platform.admin.get('/admin/permissions', chinese))
    const owner = titles(await tenant.owner.get('/tenant/permissions', chinese))
    assert.equal(staff.get('plugin.acme.told:tell'), '讲述')
    assert.equal(owner.get('tenant_role:list'), '列出租户角色')
    assert.ok(staff.size > 100 && owner.size > 60, `${staff.size} and ${owner.size} permissions`)
    assert.deepEqual(
      [...staff, ...owner].filter(([, title]) => !/\p{Script=Han}/u.test(title)),
      [],
    )
    const english = titles(await platform.admin.get('/admin/permissions'))
    assert.deepEqual(
      [english.get('plugin.acme.told:tell'), english.get('platform_role:list')],
      ['Tell', 'List the platform’s roles'],
    )
  })

  function titles(answer: Parameters<typeof dataOf>[0]): ReadonlyMap<string, string> {
    const { items } = dataOf(answer) as unknown as Offered
    return new Map(items.flatMap(({ actions }) => actions.map(({ permission, title }) => [permission, title] as const)))
  }
})
