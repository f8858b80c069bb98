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

describe('the consent to a package', function () {
  this.timeout(180_000)
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
    for (const name of [reports, swapped]) await staff.delete(`/admin/plugins/${name}?purge=true`)
  })

  it('26: every right of the reports is said in words, in both languages, with the author’s reason', async () => {
    dataOf(await upload(staff, await packFixture('reports')), 201)
    const page = await acts.tab(await acts.signedIn(reader), `/admin/plugins/${reports}`)
    await page.getByRole('button', { name: 'Read what it asks for' }).click()
    assert.deepEqual(await rightsIn(page), [
      'May keep tables of its own: sales and reports',
      'May keep files of its own, up to 50 MB',
      'May tell and hear events of the platform',
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
    dataOf(await own.patch('/preferences', { locale: 'en' }))
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

  async function rightsIn(page: Page): Promise<readonly string[]> {
    const rights = page.getByRole('dialog').locator('li strong')
    await rights.first().waitFor()
    return rights.allTextContents()
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
