import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import type { Api } from '../support/api.ts'
import { picture } from '../support/pictures.ts'
import { dataOf } from '../support/platform.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'

const password = 'a long enough passphrase'

describe('pictures of people', () => {
  const acts = useActs()

  /** Red on the left, blue on the right. */
  async function twoColours(type: 'png' | 'jpeg'): Promise<Buffer> {
    const blue = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#0000ff' } })
      .png()
      .toBuffer()
    return sharp({ create: { width: 600, height: 300, channels: 3, background: '#ff0000' } })
      .composite([{ input: blue, left: 300, top: 0 }])
      .toFormat(type)
      .toBuffer()
  }
  async function choose(page: Page, name: string, mimeType: string, buffer: Buffer): Promise<void> {
    await page.getByLabel('Choose a picture').setInputFiles({ name, mimeType, buffer })
  }
  /** Which colour the shown picture has in its middle and at its corners. */
  async function coloursOf(shown: Locator): Promise<readonly string[]> {
    await shown.waitFor()
    const address = await shown.evaluate((image) => (image as unknown as { src: string }).src)
    const answer = await shown.page().request.get(address)
    assert.equal(answer.status(), 200, address)
    const { data, info } = await sharp(await answer.body())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    assert.equal(info.width, info.height)
    const at = (x: number, y: number) => {
      const first = (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1))) * 3
      return (data[first] ?? 0) > (data[first + 2] ?? 0) ? 'red' : 'blue'
    }
    return [at(0.5, 0.5), at(0.05, 0.05), at(0.95, 0.95)]
  }
  const owner = () => acts.stage.owner()
  async function add(by: Api, name: string, permissions: readonly string[]) {
    dataOf(await by.post('/tenant/roles', { code: name, name, permissions, data_scope: 'ALL' }), 201)
    const who = { account: `${name}@demo.test`, password, tenant_code: 'demo' }
    const user = { email: who.account, nickname: name, password, roles: [name] }
    return { who, id: Number(dataOf(await by.post('/tenant/users', user), 201)['id']) }
  }

  it('are cut by keyboard, kept, and shown wherever the person is', async () => {
    const context = await acts.signedIn(demoOwner(acts.stage))
    const page = await acts.tab(context, '/profile')
    await choose(page, 'me.png', 'image/png', await twoColours('png'))
    const stage = page.getByRole('application', { name: 'Picture to cut' })
    await stage.focus()
    assert.deepEqual(await axeFaults(page), [])
    for (let step = 0; step < 8; step += 1) await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('+')
    await page.keyboard.press('+')
    await page.keyboard.press('-')
    assert.equal(await page.getByLabel('Size').getAttribute('aria-valuetext'), '110 %')
    await page.getByRole('button', { name: 'Use this picture' }).click()
    await page.getByText('Saved').waitFor()
    const large = page.getByRole('group', { name: 'Picture', exact: true }).locator('img')
    assert.deepEqual(await coloursOf(large), ['blue', 'blue', 'blue'])
    await page.reload()
    assert.deepEqual(await coloursOf(large), ['blue', 'blue', 'blue'])
    assert.deepEqual(await coloursOf(page.getByRole('button', { name: /^Account of/ }).locator('img')), [
      ...['blue', 'blue', 'blue'],
    ])
    await page.goto(acts.at('/tenant/users'))
    const { account } = demoOwner(acts.stage)
    assert.deepEqual((await coloursOf(page.getByRole('row').filter({ hasText: account }).locator('img')))[0], 'blue')
    await page.goto(acts.at('/chat'))
    await page.getByLabel('Write a message').fill('Who am I?')
    await page.keyboard.press('Enter')
    assert.deepEqual((await coloursOf(page.getByRole('article', { name: 'You' }).locator('img')))[0], 'blue')
    await page.goto(acts.at('/profile'))
    await page.getByRole('button', { name: 'Remove the picture' }).click()
    await large.waitFor({ state: 'detached' })
  })

  it('what cannot be one is refused in words, and nothing is sent', async () => {
    const page = await acts.tab(await acts.signedIn(), '/profile')
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
    const alert = page.getByRole('alert')
    await choose(page, 'note.txt', 'text/plain', Buffer.from('text'))
    await alert.getByText('note.txt is no picture that can be used here').waitFor()
    await choose(page, 'moving.gif', 'image/gif', Buffer.from('GIF89a'))
    await alert.getByText('moving.gif is no picture that can be used here').waitFor()
    await choose(page, 'broken.png', 'image/png', Buffer.from('text'))
    await alert.getByText('broken.png cannot be read as a picture').waitFor()
    const by = await acts.stage.staff()
    const group = '/admin/configs/groups/platform_storage'
    dataOf(await by.put(group, { max_file_size_mb: 1 }))
    try {
      const large = await picture(900, 700).png({ compressionLevel: 0 }).toBuffer()
      await choose(page, 'large.png', 'image/png', large)
      await alert.getByText('large.png has 1.8 MiB; at most 1 MiB are taken.').waitFor()
    } finally {
      dataOf(await by.put(group, { max_file_size_mb: 50 }))
    }
    const uploads = sent.filter((url) => url.includes('/attachments'))
    assert.deepEqual([uploads, await page.getByRole('dialog').count()], [[], 0])
  })

  it('are chosen for others with the mouse by who may change them, and by nobody else', async () => {
    const by = await owner()
    const shown = await add(by, 'pictured', ['console_tenant:enter', 'user_attachment:read'])
    const looker = await add(by, 'looker', [
      ...['console_tenant:enter', 'tenant_user:list', 'tenant_user:detail', 'user_attachment:*'],
    ])
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), `/tenant/users/${shown.id}`)
    await choose(page, 'them.jpg', 'image/jpeg', await twoColours('jpeg'))
    const stage = page.getByRole('application', { name: 'Picture to cut' })
    const box = (await stage.boundingBox()) ?? assert.fail('no picture')
    await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width - 4, box.y + box.height / 2, { steps: 8 })
    await page.mouse.up()
    await page.getByRole('button', { name: 'Use this picture' }).click()
    await page.getByText('Saved').waitFor()
    const large = page.getByRole('group', { name: 'Picture', exact: true }).locator('img')
    assert.deepEqual(await coloursOf(large), ['red', 'red', 'red'])

    const other = await acts.tab(await acts.signedIn(looker.who), `/tenant/users/${shown.id}`)
    await coloursOf(other.getByRole('group', { name: 'Picture', exact: true }).locator('img'))
    assert.deepEqual(await other.getByRole('button', { name: /picture/ }).allInnerTexts(), [])
    // Who may not upload has none to choose from, also for themselves.
    const own = await acts.tab(await acts.signedIn(shown.who), '/profile')
    await coloursOf(own.getByRole('group', { name: 'Picture', exact: true }).locator('img'))
    assert.equal(await own.getByRole('button', { name: 'Choose a picture' }).count(), 0)
  })
})
