import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { converse, readerOfWriter } from './support/chats.ts'
import { demoOwner, useActs } from './support/stage.ts'
import { accountOf } from './support/steps.ts'

describe('what was done by mistake', () => {
  const acts = useActs()

  const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })
  const undo = (page: Page, text: string) =>
    messages(page).getByRole('paragraph').filter({ hasText: text }).getByRole('button', { name: 'Undo' })

  it('4.1: an archived conversation comes back by Ctrl+Z, many by their button, and none to whoever signs in next', async () => {
    const reader = await readerOfWriter(acts.stage)
    const ids = [await converse(reader.api, 'First of two'), await converse(reader.api, 'Second of two')]
    const context = await acts.signedIn(reader.who)
    const page = await acts.tab(context, '/conversations?q=of two')
    const rows = page.getByRole('row').filter({ hasText: 'of two' })
    const batch = page.getByRole('region', { name: 'Selected rows' })
    await page.getByRole('button', { name: 'Archive First of two' }).click()
    await undo(page, 'Moved to the archive').waitFor()
    await until(async () => (await rows.count()) === 1)
    // It stays while the mouse is on it, and its whole time after that.
    await undo(page, 'Moved to the archive').hover()
    assert.deepEqual(await axeFaults(page), [])
    // In a field the same keys take back what was typed.
    const search = page.getByRole('searchbox').first()
    await search.press('Control+z')
    assert.equal(await undo(page, 'Moved to the archive').count(), 1)
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('Control+z')
    await messages(page).getByText('Taken back').waitFor()
    await until(async () => (await rows.count()) === 2)

    for (const row of await rows.all()) await row.getByRole('checkbox').check()
    await batch.getByRole('button', { name: 'Archive' }).click()
    await until(async () => (await rows.count()) === 0)
    await undo(page, '2 changed').click()
    await until(async () => (await rows.count()) === 2)

    // What cannot be taken back is told until it has been read.
    await page.getByRole('button', { name: 'Archive First of two' }).click()
    await undo(page, 'Moved to the archive').waitFor()
    dataOf(await reader.api.delete(`/ai/agent-chat/conversations/${ids[0] ?? ''}`))
    await undo(page, 'Moved to the archive').click()
    const failed = page.getByRole('dialog', { name: 'It could not be taken back' })
    await failed.getByRole('alert').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await failed.getByRole('button', { name: 'Close', exact: true }).last().click()
    await failed.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Archive Second of two' }).click()
    await undo(page, 'Moved to the archive').waitFor()
    await (await accountOf(page)).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    assert.equal(await undo(page, 'Moved to the archive').count(), 0)
  })

  it('4.1, 4.7: a node goes back to its place; who leads it is chosen, and taken back', async () => {
    const owner = await acts.stage.owner()
    const add = async (name: string, parent: number | null, sort: number) =>
      Number(dataOf(await owner.post('/tenant/orgs', { name, parent_id: parent, sort }), 201)['id'])
    const north = await add('North of undo', null, 1)
    const south = await add('South of undo', null, 2)
    const moved = await add('Team of undo', north, 7)
    const place = async () => {
      const { parent_id: parent, sort, leader_id: leader } = dataOf(await owner.get(`/tenant/orgs/${moved}`))
      return [parent, sort, leader] as unknown
    }
    try {
      const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), `/tenant/orgs/${moved}`)
      const node = (name: string) => page.getByRole('treeitem', { name, exact: true })
      await page.getByRole('button', { name: 'Move …', exact: true }).click()
      await node('South of undo').focus()
      await page.keyboard.press('Control+v')
      await undo(page, 'Team of undo').waitFor()
      assert.deepEqual(await place(), [south, 7, null])
      await undo(page, 'Team of undo').click()
      await messages(page).getByText('Taken back').waitFor()
      assert.deepEqual(await place(), [north, 7, null])

      await page.getByText('Leader Nobody').waitFor()
      await page.getByRole('button', { name: 'Choose a leader' }).click()
      const dialog = page.getByRole('dialog', { name: 'Choose a leader' })
      assert.deepEqual(await axeFaults(page), [])
      await dialog.getByRole('radio').first().check()
      await dialog.getByRole('button', { name: 'Choose' }).click()
      await page.getByRole('button', { name: /^Take the lead from/ }).waitFor()
      assert.deepEqual(await axeFaults(page), [])
      await page.getByRole('button', { name: /^Take the lead from/ }).click()
      await page.getByText('Leader Nobody').waitFor()
      await undo(page, 'has no leader').click()
      await page.getByRole('button', { name: /^Take the lead from/ }).waitFor()
    } finally {
      for (const id of [moved, north, south]) await owner.delete(`/tenant/orgs/${id}`)
    }
  })

  it('4.1: an entry of the menu is as it was arranged before, or as it was declared', async () => {
    const staff = await acts.stage.staff()
    const arranged = async () => {
      const { items } = dataOf(await staff.get('/admin/menus')) as unknown as { items: readonly Arranged[] }
      return items.flatMap((item) => [item, ...item.children]).find(({ name }) => name === 'tenant_domains')?.overrides
    }
    const titled = { hidden: false, titles: { en: 'Names' } }
    const page = await acts.tab(await acts.signedIn(), '/admin/menus')
    try {
      const dialog = page.getByRole('dialog')
      const arrange = async () => {
        await page.getByRole('button', { name: 'Arrange Domains' }).click()
        await dialog.getByLabel('Title in English').fill('Names')
        await dialog.getByRole('button', { name: 'Save' }).click()
        await undo(page, 'Domains is changed').waitFor()
        // Where it stands is left as it was declared.
        assert.deepEqual(await arranged(), titled)
      }
      await arrange()
      await undo(page, 'Domains is changed').click()
      await until(async () => JSON.stringify(await arranged()) === '{}')
      await arrange()
      await page.getByRole('button', { name: 'Put Names back' }).click()
      await undo(page, 'as declared').click()
      await until(async () => JSON.stringify(await arranged()) === JSON.stringify(titled))
    } finally {
      await staff.delete('/admin/menus/tenant_domains')
    }
  })
})

interface Arranged {
  readonly name: string
  readonly overrides: Readonly<Record<string, unknown>>
  readonly children: readonly Arranged[]
}
