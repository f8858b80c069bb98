import assert from 'node:assert/strict'
import { chmod, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Api } from '../../support/api.ts'
import { createTenant, createUser, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'

const name = 'acme.told'
const text = [
  '# Told',
  '',
  'What it *does*.',
  '',
  '<script>alert(1)</script>',
  '',
  '![A view](screenshots/a.png)',
].join('\n')

describe('the README of a plugin that is installed', () => {
  let platform: Platform
  let admin: Api
  let owner: Api

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    const files = {
      'locales/zh-CN.json': '{}',
      'README.md': text,
      'README.zh-CN.md': '# 说明',
      'README.fr.md': '# Dit',
    }
    const readme = { default: 'README.md', 'zh-CN': 'README.zh-CN.md' }
    await installAndEnable(admin, await packSmall(name, { readme, locales: ['zh-CN'] }, '{ handlers: {} }', files))
    await installAndEnable(admin, await packSmall('acme.silent'))
    const tenant = await createTenant(admin, 'one')
    owner = tenant.owner
    dataOf(await admin.post(`/admin/plugins/${name}/tenants`, { tenant_ids: [tenant.id] }))
  })
  after(() => platform[Symbol.asyncDispose]())

  const told = async (by: Api, at: string) => {
    const { locale, html } = dataOf(await by.get(at)) as unknown as { readonly locale: string; readonly html: string }
    return { locale, html: html.replaceAll('\n', '') }
  }

  it('is that of the release in use, in the language asked for or the default one, without what acts', async () => {
    const english = { locale: 'default', html: '<h1>Told</h1><p>What it <em>does</em>.</p><p><span>A view</span></p>' }
    for (const prefix of ['/plugins', '/admin/plugins'])
      assert.deepEqual(await told(admin, `${prefix}/${name}/readme`), english)
    assert.deepEqual(await told(admin, `/admin/plugins/${name}/readme?locale=de`), english)
    const chinese = { locale: 'zh-CN', html: '<h1>说明</h1>' }
    assert.deepEqual(await told(admin, `/admin/plugins/${name}/readme?locale=zh-CN`), chinese)
    // Its manifest does not name this one; it is called as such files are.
    const french = { locale: 'fr', html: '<h1>Dit</h1>' }
    assert.deepEqual(await told(admin, `/admin/plugins/${name}/readme?locale=fr-CA`), french)
  })

  it('is read by tenants that have the plugin, and by nobody who may not see it', async () => {
    assert.equal((await told(owner, `/tenant/plugins/${name}/readme?locale=zh-CN`)).locale, 'zh-CN')
    const other = (await createTenant(admin, 'two')).owner
    const absent = { status: 404, code: 4046, reason: 'plugin_not_found' }
    assert.deepEqual(refusalOf(await other.get(`/tenant/plugins/${name}/readme`)), absent)
    const guest = await createUser(owner, 'one', ['tenant_user:list'])
    assert.equal((await guest.get(`/tenant/plugins/${name}/readme`)).body.code, 4031)
    const wrong = await admin.get(`/admin/plugins/${name}/readme?locale=../secret`)
    assert.equal(wrong.status, 422)
  })

  it('is 404 where the package has none', async () => {
    const refusal = { status: 404, code: 4040, reason: 'plugin_readme_not_found' }
    assert.deepEqual(refusalOf(await admin.get('/admin/plugins/acme.silent/readme')), refusal)
    assert.equal((await admin.get('/admin/plugins/acme.none/readme')).body.code, 4046)
  })

  it('is as it was signed, whatever somebody wrote into its file', async () => {
    const folder = path.join(platform.host.dataDir, 'packages', name)
    const [release = ''] = await readdir(folder)
    const file = path.join(folder, release, 'README.md')
    for (const each of [path.dirname(file), file]) await chmod(each, 0o755)
    await writeFile(file, '# Another')
    assert.match((await told(admin, `/admin/plugins/${name}/readme`)).html, /Told/)
  })
})
