import assert from 'node:assert/strict'
import { dataOf } from '../support/platform.ts'
import { axeFaults } from './support/axe.ts'
import { useActs } from './support/stage.ts'

describe('the sources of plugins in the console', () => {
  const acts = useActs()

  it('the order of sources is their priority, changed by keys and by dragging', async () => {
    const by = await acts.stage.staff()
    for (const [at, id] of ['second', 'third'].entries()) {
      const source = { id, name: `The ${id}`, url: `https://${id}.example.com`, enabled: false, priority: 900 + at }
      dataOf(await by.post('/admin/plugins/sources', source), 201)
    }
    const page = await acts.tab(await acts.signedIn(), '/admin/plugin-sources')
    const order = async () => {
      const { items } = dataOf(await by.get('/admin/plugins/sources')) as unknown as {
        items: { id: string; priority: number }[]
      }
      assert.equal(new Set(items.map(({ priority }) => priority)).size, items.length)
      return items.map(({ id }) => id)
    }
    const [sample] = await order()
    await page.getByRole('button', { name: 'Move The third up' }).press('Enter')
    await page.getByText('The third is asked at place 2 from now on').waitFor()
    assert.deepEqual(await order(), [sample, 'third', 'second'])
    assert.deepEqual(await axeFaults(page), [])
    const line = (name: string) => page.getByRole('row').filter({ hasText: name })
    await line('The second').locator('.grip').dragTo(page.getByRole('table').first().getByRole('row').nth(1))
    await page.getByText('The second is asked at place 1 from now on').waitFor()
    assert.deepEqual(await order(), ['second', sample, 'third'])
    for (const id of ['second', 'third']) dataOf(await by.delete(`/admin/plugins/sources/${id}`))
  })

  it('the headers of a source are written one a line, and kept when it is changed otherwise', async () => {
    const by = await acts.stage.staff()
    const source = { id: 'private', name: 'The private one', url: 'https://private.example.com', enabled: false }
    dataOf(await by.post('/admin/plugins/sources', source), 201)
    const page = await acts.tab(await acts.signedIn(), '/admin/plugin-sources')
    const headers = async () => dataOf(await by.get('/admin/plugins/sources/private'))['headers']
    const dialog = page.getByRole('dialog', { name: 'Edit The private one' })
    async function save(text?: string): Promise<void> {
      await page.getByRole('button', { name: 'Edit The private one' }).click()
      if (text !== undefined) await dialog.getByLabel('Headers').fill(text)
      await dialog.getByRole('button', { name: 'Save' }).click()
    }
    await save('Bearer very-secret')
    await dialog.getByText('“Bearer very-secret” is no header').first().waitFor()
    await dialog.getByLabel('Headers').fill('Host: other.example.com')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Host: ').first().waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByLabel('Headers').fill('Authorization: Bearer very-secret\nX-Team: plugins')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(await headers(), { authorization: '********', 'x-team': '********' })
    await save()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(await headers(), { authorization: '********', 'x-team': '********' })
    await save('authorization: ********')
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(await headers(), { authorization: '********' })
    dataOf(await by.delete('/admin/plugins/sources/private'))
  })
})
