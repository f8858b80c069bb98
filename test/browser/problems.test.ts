import assert from 'node:assert/strict'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { isFocused, pressByKey } from './support/by-keyboard.ts'
import { useActs } from './support/stage.ts'
import { holdPlugins } from './support/table-lock.ts'

const plugin = 'acme.shop-orders'

describe('what a reader is told', () => {
  const acts = useActs()

  it('23, 51: a form that is refused lists what for, with the focus there, and leads to each field; keys open it and forms of records', async () => {
    const page = await acts.tab(await acts.signedIn(undefined, { locale: 'zh-CN' }), '/admin/tenants')
    const button = page.getByRole('button', { name: '新建租户' })
    await button.waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: '新建租户' })
    await dialog.waitFor()
    await page.keyboard.press('Enter')
    const summary = dialog.getByRole('alert')
    await until(() => isFocused(summary))
    const names = await summary.getByRole('button').allInnerTexts()
    assert.deepEqual(names, ['名称', '代码', '所有者邮箱'])
    assert.doesNotMatch(await summary.innerText(), /[a-z]{3}/)
    await pressByKey(page, summary.getByRole('button', { name: '代码' }))
    assert.ok(await isFocused(dialog.getByRole('textbox', { name: '代码' })))
    await page.keyboard.press('Escape')
    await until(() => isFocused(button))

    await page.goto(acts.at(`/admin/users/${(await someone()).id}`))
    await page.getByRole('button', { name: '编辑' }).waitFor()
    await page.keyboard.press('e')
    const nickname = page.getByRole('dialog').getByRole('textbox').first()
    await until(() => isFocused(nickname))
  })

  it('what another operation holds says which and since when, and goes on by itself after one click', async () => {
    const page = await acts.tab(await acts.signedIn(), `/admin/plugins/${plugin}`)
    await page.getByRole('button', { name: 'Disable' }).waitFor()
    const staff = await acts.stage.staff()
    const background = { headers: { prefer: 'respond-async' } }
    const told = page.getByRole('alert')
    const held = await holdPlugins(acts.stage)
    try {
      dataOf(await staff.post(`/admin/plugins/${plugin}/repair`, {}, background), 202)
      await page.getByRole('button', { name: 'Disable' }).click()
      await told.getByText(/At the step .* since \d{4}-\d\d-\d\d \d\d:\d\d/).waitFor()
      await told.getByRole('button', { name: 'Wait and go on then' }).click()
      await told.getByRole('button', { name: 'Waiting for it to end' }).waitFor()
    } finally {
      await held[Symbol.asyncDispose]()
    }
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    await told.waitFor({ state: 'detached' })
    dataOf(await staff.post(`/admin/plugins/${plugin}/enable`))
  })

  it('a state has a shape beside its colour, and the id of a record is one button to copy', async () => {
    const { id } = await someone()
    const page = await acts.tab(await acts.signedIn(), `/admin/users/${id}`)
    const head = page.locator('#content header')
    await head.getByText('Active', { exact: true }).locator('svg').waitFor()
    await head.getByRole('button', { name: 'Copy the id' }).click()
    await page.getByText('Copied').waitFor()
    assert.deepEqual(await axeFaults(page), [])
  })

  it('51: moments are written as their reader chose, in the time zone that they chose', async () => {
    const staff = await acts.stage.staff()
    const { id, created_at: at } = await someone()
    dataOf(await staff.patch('/preferences', { date_format: 'DD.MM.YYYY', timezone: 'Pacific/Kiritimati' }))
    try {
      const page = await acts.tab(await acts.signedIn(), `/admin/users/${id}`)
      // 14 hours before everybody else, all year round.
      const write = (moment: string) => {
        const [day = '', clock = ''] = new Date(Date.parse(moment) + 14 * 3_600_000).toISOString().split('T')
        return `${day.split('-').reverse().join('.')} ${clock.slice(0, 5)}`
      }
      await page.getByText(write(at)).first().waitFor()
      await page.goto(acts.at('/admin/users'))
      const shown = page.getByRole('table').getByRole('time').first()
      const moment = (await shown.getAttribute('datetime')) ?? ''
      assert.equal(await shown.getAttribute('title'), `${write(moment)}\n${moment.slice(0, 16).replace('T', ' ')} UTC`)
      // Without a mouse too: whoever has the focus there is told.
      await shown.focus()
      const told = page.getByRole('tooltip')
      await told.getByText(`${moment.slice(0, 16).replace('T', ' ')} UTC`).waitFor()
      assert.deepEqual(await axeFaults(page), [])
      await page.keyboard.press('Escape')
      await told.waitFor({ state: 'detached' })
    } finally {
      dataOf(await staff.delete('/preferences/date_format'))
      dataOf(await staff.delete('/preferences/timezone'))
    }
  })

  /** Any administrator. */
  async function someone() {
    const items = dataOf(await (await acts.stage.staff()).get('/admin/users'))['items'] as unknown
    return (items as readonly { id: number; created_at: string }[])[0] ?? assert.fail('there is an administrator')
  }
})
