import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Api } from '../support/api.ts'
import { packFixture } from '../support/packages.ts'
import { dataOf } from '../support/platform.ts'
import { installAndEnable, packSmall, upload } from '../support/small-plugin.ts'
import { axeFaults } from './support/axe.ts'
import { useActs, type Credentials } from './support/stage.ts'

const reader: Credentials = { account: 'reader@consents.test', password: 'a long enough passphrase' }
const reports = 'acme.reports'
const swapped = 'acme.swapped'
const compared = 'acme.compared'
const serving = 'acme.serving'
const served = 'acme.served'

describe('the consent to a package', () => {
  const acts = useActs()
  let staff: Api
  let own: Api

  before(async () => {
    staff = await acts.stage.staff()
    const { account: email, password } = reader
    dataOf(await staff.post('/admin/users', { email, password, roles: ['platform_admin'] }), 201)
    own = staff.as(dataOf(await staff.post('/admin/auth/login/json', reader))['access_token'])
  })
  after(async () => {
    for (const name of [reports, swapped, compared, served, serving])
      await staff.delete(`/admin/plugins/${name}?purge=true`)
  })

  it('26: every right of the reports is said in words, in both languages, with the author’s reason', async () => {
    dataOf(await upload(staff, await packFixture('reports')), 201)
    const page = await acts.tab(await acts.signedIn(reader), `/admin/plugins/${reports}`)
    await page.getByRole('button', { name: 'Read what it asks for' }).click()
    assert.deepEqual(await rightsIn(page), [
      'May keep tables of its own: sales and reports',
      'May keep files of its own, up to 50 MB',
      'May tell and hear events of the platform, and tell its own pages, those of one user too',
      'May run at set times',
      'May have settings of its own',
      'May show pages in the console',
      'May answer requests below its own paths',
    ])
    assert.equal(await page.getByRole('dialog').locator('blockquote').count(), 6)
    assert.deepEqual(await axeFaults(page), [])

    dataOf(await own.patch('/preferences', { locale: 'zh-CN' }))
    const chinese = await acts.tab(page.context(), `/admin/plugins/${reports}`)
    await chinese.getByRole('button', { name: '查看权限请求' }).click()
    const said = await rightsIn(chinese)
    assert.equal(said.length, 7)
    assert.deepEqual(
      said.filter((each) => !/\p{Script=Han}/u.test(each) || /\b(May|Asks)\b/.test(each)),
      [],
    )
    dataOf(await own.delete('/preferences/locale'))
  })

  it('26: an upgrade shows exactly what is new, more, unchanged and gone, in both languages', async () => {
    const hosts = (...names: string[]) => ({ hosts: names.map((host) => ({ host, reason: 'Asks.' })) })
    const events = { publish: [`${compared}.done`], subscribe: [] }
    const reasons = { http: 'Asks.', events: 'Tells.' }
    const before = {
      ...{ capabilities: ['http', 'events', 'storage'], reasons: { ...reasons, storage: 'Keeps.' }, events },
      ...{ http: hosts('a.example.com', 'b.example.com'), storage: { quotaMb: 2, maxObjectMb: 1 } },
    }
    await installAndEnable(staff, await packSmall(compared, before))
    const after = {
      ...{ version: '1.1.0', capabilities: ['http', 'events', 'notify'], reasons: { ...reasons, notify: 'Calls.' } },
      ...{ events, http: hosts('a.example.com', 'c.example.com'), limits: { cpuMs: 2000 } },
    }
    const file = { field: 'file', name: 'a.zip', content: await packSmall(compared, after) }
    dataOf(await staff.call('POST', `/admin/plugins/${compared}/upgrade`, { file }))

    const page = await acts.tab(await acts.signedIn(reader), `/admin/plugins/${compared}`)
    await page.getByRole('button', { name: 'Read what it asks for' }).click()
    await rightsIn(page)
    assert.deepEqual(await groupsIn(page), [
      ['+ New', 'May send notifications to users reaches outside'],
      [
        '↑ More than before',
        'May send requests to a.example.com and c.example.com reaches outside',
        'Before: May send requests to a.example.com and b.example.com',
        '+ Requests: GET c.example.com:443',
        'Asks for higher limits far-reaching',
        '+ Limit: cpuMs 2000',
      ],
      ['− No longer', 'May keep files of its own, up to 2 MB', 'Requests: GET b.example.com:443'],
    ])
    const folded = page.getByRole('dialog').locator('details', { hasText: 'As before: 2 rights' })
    assert.equal(await folded.locator('li').count(), 0)
    await folded.locator('summary').first().click()
    await folded.locator('li strong').first().waitFor()
    assert.deepEqual(await folded.locator('li strong').allTextContents(), [
      'May tell and hear events of the platform, and tell its own pages, those of one user too',
      'May answer requests below its own paths',
    ])
    assert.deepEqual(await axeFaults(page), [])
    // What reaches far has a tick of its own, and nothing is ticked beforehand.
    const allow = page.getByRole('dialog').getByRole('button', { name: 'Allow' })
    assert.equal(await allow.getAttribute('aria-disabled'), 'true')
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Asks for higher limits' }).check()
    assert.notEqual(await allow.getAttribute('aria-disabled'), 'true')

    dataOf(await own.patch('/preferences', { locale: 'zh-CN' }))
    const chinese = await acts.tab(page.context(), `/admin/plugins/${compared}`)
    await chinese.getByRole('button', { name: '查看权限请求' }).click()
    await rightsIn(chinese)
    assert.deepEqual(await groupsIn(chinese), [
      ['+ 新增', '可以向用户发送通知 对外访问'],
      [
        '↑ 比之前更多',
        '可以向 a.example.com和c.example.com 发送请求 对外访问',
        '之前：可以向 a.example.com和b.example.com 发送请求',
        '+ 请求：GET c.example.com:443',
        '请求更高的限额 影响较大',
        '+ 限额：cpuMs 2000',
      ],
      ['− 不再需要', '可以保存自己的文件，最多 2 MB', '请求：GET b.example.com:443'],
    ])
    await chinese.getByRole('dialog').getByText('与之前相同：2 项权限').click()
    await chinese.getByRole('dialog').getByText('可以发布和接收平台事件').waitFor()
    dataOf(await own.delete('/preferences/locale'))
  })

  it('26: whoever would be left without a service is told before an upgrade, with rights to allow or without, a rollback and an uninstall', async () => {
    await installAndEnable(staff, await packServing('1.0.0'))
    const uses = { [`${serving}/contacts`]: '^1.0.0' }
    const asks = { capabilities: ['services:use'], reasons: { 'services:use': 'Asks.' }, uses }
    await installAndEnable(staff, await packSmall(served, asks))
    const page = await acts.tab(await acts.signedIn(reader), `/admin/plugins/${serving}`)
    const dialog = page.getByRole('dialog')
    const line = dialog.getByText(`These plugins are left without a service that they use now: ${served}`)
    const button = (name: string) => page.getByRole('button', { name, exact: true })

    await button('Uninstall').click()
    await line.waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await button('Disable').click()
    await line.waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    // Nothing of it is asked for, so that nobody would be asked.
    const buffer = await packServing('2.0.0')
    const file = { name: 'a.plugin.zip', mimeType: 'application/zip', buffer }
    await page.locator('input[type=file]').setInputFiles(file)
    await dialog.getByText('Upgrade acme.serving to 2.0.0?').waitFor()
    await line.waitFor()
    assert.deepEqual(await axeFaults(page), [])
    assert.equal(dataOf(await staff.get(`/admin/plugins/${serving}`))['version'], '1.0.0')
    await dialog.getByRole('button', { name: 'Upgrade', exact: true }).click()
    await page.getByText(`${serving} 2.0.0`).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await button('Roll back').click()
    await dialog.getByRole('button', { name: 'Roll back' }).waitFor()
    assert.equal(await line.count(), 0)
    await dialog.getByRole('button', { name: 'Roll back' }).click()
    await page.getByText(`${serving} 1.0.0`).waitFor()
    // The page may hear of it before the dialogue, which has a button of this name as well.
    await dialog.waitFor({ state: 'detached' })
    await button('Roll back').click()
    await line.waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    dataOf(await own.patch('/preferences', { locale: 'zh-CN' }))
    const more = { field: 'file', name: 'a.zip', content: await packServing('2.1.0', ['notify']) }
    dataOf(await staff.call('POST', `/admin/plugins/${serving}/upgrade`, { file: more }))
    const chinese = await acts.tab(page.context(), `/admin/plugins/${serving}`)
    await chinese.getByRole('button', { name: '查看权限请求' }).click()
    await chinese.getByRole('dialog').getByText(`以下插件将失去正在使用的服务：${served}`).waitFor()
    dataOf(await own.delete('/preferences/locale'))
  })

  it('26: what was put in the place of a package that is read is refused, and read itself', async () => {
    await installAndEnable(staff, await pack('1.0.0', ['events']))
    await wait(await pack('1.1.0', ['events', 'storage']))
    const page = await acts.tab(await acts.signedIn(reader), `/admin/plugins/${swapped}`)
    await page.getByRole('button', { name: 'Read what it asks for' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1.1.0').waitFor()
    assert.deepEqual(await rightsIn(page), ['May keep files of its own, up to 1 MB'])

    // The page behind has heard of it; what is read stays as it is.
    const heard = page.waitForResponse((answer) => answer.url().endsWith(`/admin/plugins/${swapped}`))
    await wait(await pack('1.2.0', ['events', 'storage', 'notify']))
    await heard
    assert.equal(await dialog.getByText('1.1.0').count(), 1)
    await dialog.getByRole('button', { name: 'Allow' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByText('1.2.0').waitFor()
    assert.deepEqual(await rightsIn(page), ['May keep files of its own, up to 1 MB', 'May send notifications to users'])
    assert.deepEqual(dataOf(await staff.get(`/admin/plugins/${swapped}`))['version'], '1.0.0')
    assert.deepEqual(await axeFaults(page), [])

    await dialog.getByRole('button', { name: 'Allow' }).click()
    await dialog.getByText('It is ready.').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText(`${swapped} 1.2.0`).waitFor()
  })

  function packServing(version: string, more: readonly string[] = []): Promise<Buffer> {
    const capabilities = ['services:provide', ...more]
    const reasons = Object.fromEntries(capabilities.map((capability) => [capability, 'Serves.']))
    const methods = [{ name: 'find', handler: 'find', input: { type: 'object' } }]
    const provides = { services: [{ name: 'contacts', version, methods }] }
    return packSmall(serving, { version, capabilities, reasons, provides }, '{ services: { find: () => ({}) } }')
  }
  async function rightsIn(page: Page): Promise<readonly string[]> {
    const rights = page.getByRole('dialog').locator('li strong')
    await rights.first().waitFor()
    return rights.allTextContents()
  }
  /** Each group of rights with its heading and its lines, but for the author's words and the details. */
  async function groupsIn(page: Page): Promise<readonly (readonly string[])[]> {
    const sections = await page.getByRole('dialog').locator('section:has(h3)').all()
    const lines = 'h3, .right > div > p, .right > div > ul > li, .gone > li'
    return Promise.all(sections.map((section) => section.locator(lines).allInnerTexts()))
  }
  /** Makes it wait for consent beside the release that runs. */
  async function wait(content: Buffer): Promise<void> {
    const file = { field: 'file', name: 'a.zip', content }
    dataOf(await staff.call('POST', `/admin/plugins/${swapped}/upgrade`, { file }))
  }
  function pack(version: string, capabilities: readonly string[]): Promise<Buffer> {
    const all = { events: 'Tells.', storage: 'Keeps.', notify: 'Calls.' }
    const reasons = Object.fromEntries(Object.entries(all).filter(([each]) => capabilities.includes(each)))
    const events = { publish: [`${swapped}.done`], subscribe: [] }
    const storage = { quotaMb: 1, maxObjectMb: 1 }
    const more = { events, ...(capabilities.includes('storage') && { storage }) }
    return packSmall(swapped, { version, capabilities, reasons, ...more })
  }
})
