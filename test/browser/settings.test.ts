import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Api } from '../support/api.ts'
import { picture } from '../support/pictures.ts'
import { dataOf } from '../support/platform.ts'
import { installAndEnable, packSmall } from '../support/small-plugin.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { naturalWidthOf } from './support/natural-width.ts'
import { choose, field, fillAll, isEntered, save, set, toEnd } from './support/settings-form.ts'
import { definition, manifest, settingsPlugin as name } from './support/settings-plugin.ts'
import { demoOwner, useActs } from './support/stage.ts'

const group = `/tenant/configs/groups/plugin.${name}`
const place = `/tenant/settings/plugin.${name}`
const defaults = `/admin/configs/groups/plugin.${name}`
const storage = '/admin/configs/groups/platform_storage'

interface Item {
  readonly key: string
  readonly value: unknown
}

describe('settings of every type', () => {
  const acts = useActs()
  let staff: Api
  let owner: Api

  before(async () => {
    staff = await acts.stage.staff()
    owner = await acts.stage.owner()
    await installAndEnable(staff, await packSmall(name, manifest, definition))
    const { items } = dataOf(await staff.get('/admin/tenants?q=demo')) as unknown as { items: { id: number }[] }
    dataOf(await staff.post(`/admin/plugins/${name}/tenants`, { tenant_ids: [items[0]?.id] }))
    dataOf(await owner.post(`/tenant/plugins/${name}/enable`))
  })
  after(async () => {
    await staff.delete(`/admin/plugins/${name}?purge=true`)
  })

  it('24: each of the thirteen is set, refused at its field, kept, cleared, put back and inherited', async () => {
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), place)
    await field(page, 'Line').waitFor()
    await until(async () => (await page.getByText('default', { exact: true }).count()) === 13)
    await fillAll(page)
    await save(page)
    const stored = await values()
    assert.deepEqual(stored, set)
    assert.equal(await secret(), 'hunter22')
    await page.reload()
    await field(page, 'Line').waitFor()
    await until(async () => (await page.getByText('set here', { exact: true }).count()) === 13)
    assert.deepEqual(await axeFaults(page), [])

    // What is out of its bounds is said once the field is left, before anything is sent.
    await field(page, 'Amount').fill('99')
    await field(page, 'Amount').blur()
    await page.locator('[aria-invalid="true"]').and(field(page, 'Amount')).waitFor()
    assert.deepEqual(await values(), set)

    const wrong = { Line: 'ABCDEFG', Words: 'x', Amount: '99', Tone: 'blueish', Picture: 'javascript:alert(1)' }
    for (const [label, text] of Object.entries(wrong)) await field(page, label).fill(text)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    for (const label of Object.keys(wrong)) {
      await page.locator('[aria-invalid="true"]').and(field(page, label)).waitFor()
      const described = (await field(page, label).getAttribute('aria-describedby')) ?? ''
      assert.notEqual(await page.locator(`[id="${described.split(' ').at(-1) ?? ''}"]`).innerText(), '', label)
    }
    await field(page, 'Shape').fill('{ no JSON')
    await field(page, 'Shape').blur()
    await page.getByText(/^Not JSON/).waitFor()
    assert.deepEqual(await values(), set)
    await page.getByRole('button', { name: 'Discard' }).click()
    await until(async () => (await field(page, 'Line').inputValue()) === 'hello')

    // What is not touched is kept, also what the form never had.
    await field(page, 'Amount').fill('8')
    await save(page)
    assert.equal(await secret(), 'hunter22')
    await field(page, 'Secret').fill('')
    await save(page)
    assert.deepEqual([(await values())['secret'], await secret()], ['', ''])

    dataOf(await staff.put(defaults, await keyed({ line: 'all' })))
    await page.getByRole('button', { name: 'Reset Line' }).click()
    await page.getByText('set by the platform').waitFor()
    await until(async () => (await field(page, 'Line').inputValue()) === 'all')
    await page.getByRole('button', { name: 'Reset Amount' }).click()
    await until(async () => (await field(page, 'Amount').inputValue()) === '3')
    const { line, amount } = await values()
    assert.deepEqual([line, amount], ['all', 3])
  })

  it('24: of two who change one setting the second sees both, and decides', async () => {
    const context = await acts.signedIn(demoOwner(acts.stage))
    const [one, other] = [await acts.tab(context, place), await acts.tab(context, place)]
    await field(other, 'Line').fill('mine')
    await field(one, 'Line').fill('yours')
    await save(one)
    await other.getByRole('button', { name: 'Save', exact: true }).click()
    const both = other.getByRole('region', { name: 'Changed meanwhile' })
    await both.locator('del').getByText('yours').waitFor()
    assert.deepEqual(await both.locator('del, ins').allTextContents(), ['Before:yours', 'After:mine'])
    assert.deepEqual(await axeFaults(other), [])
    assert.equal((await values())['line'], 'yours')
    await save(other)
    assert.equal((await values())['line'], 'mine')
    await both.waitFor({ state: 'detached' })
  })

  it('24: files of settings are uploaded in chunks, shown on both grounds, and refused in words before any of it is sent', async () => {
    dataOf(await staff.put(storage, { chunk_size_mb: 1 }))
    try {
      const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), place)
      await field(page, 'Picture').waitFor()
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().includes('/attachments')) sent.push(request.url())
      })
      await choose(page, 'Picture', { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') })
      await page.getByText('a.txt is no picture that pages can show.').waitFor()
      assert.equal(sent.length, 0)

      const buffer = await picture(40, 20).png().toBuffer()
      await choose(page, 'Picture', { name: 'logo.png', mimeType: 'image/png', buffer })
      await page.getByRole('img', { name: 'Picture on a dark ground' }).waitFor()
      const paper = Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(2.5 * 1_048_576)])
      await choose(page, 'Paper', { name: 'paper.zip', mimeType: 'application/zip', buffer: paper })
      await page.getByRole('button', { name: 'Download the file of Paper' }).waitFor()
      assert.equal(sent.filter((url) => url.endsWith('/upload')).length, 4)
      assert.deepEqual(await axeFaults(page), [])
      await save(page)

      await page.reload()
      const shown = page.getByRole('img', { name: 'Picture on a light ground' })
      await until(async () => (await naturalWidthOf(shown)) === 40)
      const coming = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download the file of Paper' }).click()
      assert.deepEqual(await readFile(await (await coming).path()), paper)
      const { paper: id } = await values()
      const { visibility } = dataOf(await owner.get(`/attachments/${String(id)}`))
      assert.equal(visibility, 'tenant')
      await page.getByRole('button', { name: 'Remove the file of Picture' }).click()
      await save(page)
      assert.equal((await values())['picture'], '')
    } finally {
      dataOf(await staff.put(storage, { chunk_size_mb: 5 }))
    }
  })

  it('24: rich text is written without source, shown as readers see it, and what was not kept is said', async () => {
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), place)
    await field(page, 'Page').fill('<p onclick="x()">Kept</p><script>gone()</script>')
    await save(page)
    await page.getByText('Not kept, because it is not taken here: onclick, <script>').waitFor()
    assert.equal((await values())['page'], '<p>Kept</p>')
    const modes = page.getByRole('group', { name: 'How Page is shown' })
    await modes.getByRole('button', { name: 'Rich text' }).click()
    const text = page.getByRole('textbox', { name: 'Page' })
    await text.getByText('Kept').waitFor()
    const press = async (tool: string) => {
      await page.getByRole('toolbar').getByRole('button', { name: tool, exact: true }).click()
      await isEntered(page)
    }
    await toEnd(text)
    await text.press('Enter')
    await press('Heading')
    await page.keyboard.type('News')
    await page.keyboard.press('Enter')
    await press('List')
    await press('Bold')
    await page.keyboard.type('first')
    assert.deepEqual(await axeFaults(page), [])
    await save(page)
    assert.equal((await values())['page'], '<p>Kept</p><h2>News</h2><ul><li><p><strong>first</strong></p></li></ul>')
    // What is discarded is gone from the editor as well, and does not come back with the next letter.
    await toEnd(text)
    await page.keyboard.type(' gone')
    await text.getByText('first gone').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await text.getByText('first', { exact: true }).waitFor()
    await modes.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('region', { name: 'Page as readers see it' }).getByRole('heading', { name: 'News' }).waitFor()
    await modes.getByRole('button', { name: 'Source' }).click()
    await field(page, 'Page').fill('<table><tbody><tr><td>1</td></tr></tbody></table>')
    await page.getByText('It has tables, pictures or raised text: edit its source.').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  async function items(): Promise<readonly Item[]> {
    return dataOf(await owner.get(group))['items'] as unknown as readonly Item[]
  }
  async function values(): Promise<Readonly<Record<string, unknown>>> {
    return Object.fromEntries((await items()).map((each) => [shortOf(each), each.value]))
  }
  /** Values by the keys under which they are stored. */
  async function keyed(short: Readonly<Record<string, unknown>>) {
    const all = (await items()).map((each) => [each.key, short[shortOf(each)]] as const)
    return Object.fromEntries(all.filter(([, value]) => value !== undefined))
  }
  async function secret(): Promise<unknown> {
    return dataOf(await owner.get(`/tenant/plugins/${name}/api/secret`))['secret']
  }
})

function shortOf({ key }: Item): string {
  return key.replace(/^plg_[0-9a-f]+_/, '')
}
