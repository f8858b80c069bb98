import assert from 'node:assert/strict'
import { dataOf } from '../support/platform.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'

/** A frame of another origin may send no header of ours. */
const plain = { extraHTTPHeaders: {} }

describe('the pages of the sample plugins', () => {
  const acts = useActs()

  it('the guestbook is written into and read, and says what it removes', async () => {
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage), plain), '/plugins/acme.guestbook/book')
    const book = page.frameLocator('iframe')
    await book.getByRole('heading', { name: 'Welcome' }).waitFor()
    await book.getByText('Nobody has written anything yet.').waitFor()
    await book.getByLabel('Your name').fill('Ada')
    await book.getByLabel('Your entry').fill('Good <b>morning</b>')
    await book.getByRole('button', { name: 'Add' }).press('Enter')
    await book.getByRole('listitem').getByText('Good <b>morning</b>', { exact: true }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await book.getByRole('button', { name: 'Remove: Good' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await book.getByText('Nobody has written anything yet.').waitFor()
  })

  it('the reports are empty until the first night, on their page and on the dashboard', async () => {
    const staff = await acts.stage.staff()
    const name = 'acme.reports'
    try {
      const asked = dataOf(await staff.post('/admin/plugins/install', { name }), 201)
      const { release_hash, diff_hash } = asked['consent'] as unknown as Record<string, string>
      dataOf(await staff.post(`/admin/plugins/${name}/consent`, { accept: true, release_hash, diff_hash }))
      dataOf(await staff.post(`/admin/plugins/${name}/enable`))
      const demo = dataOf(await staff.get('/admin/tenants?q=demo'))['items'] as unknown as { id: number }[]
      dataOf(await staff.post(`/admin/plugins/${name}/tenants`, { tenant_ids: demo.map(({ id }) => id) }))
      dataOf(await (await acts.stage.owner()).post(`/tenant/plugins/${name}/enable`))
      const context = await acts.signedIn(demoOwner(acts.stage), { ...plain, locale: 'zh-CN' })
      const page = await acts.tab(context, `/plugins/${name}/reports`)
      await page
        .frameLocator('iframe')
        .getByText(/^还没有报表/)
        .waitFor()
      assert.deepEqual(await axeFaults(page), [])
      const board = await acts.tab(context, '/tenant')
      await board
        .frameLocator('iframe')
        .getByText(/^还没有报表/)
        .waitFor()
      assert.deepEqual(await axeFaults(board), [])
    } finally {
      dataOf(await staff.delete(`/admin/plugins/${name}?purge=true`))
    }
  })
})
