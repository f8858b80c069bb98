import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { textOf } from '../support/attachments.ts'
import { dataOf } from '../support/platform.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'

const count = 11

describe('parts of pages with more than a page of rows', () => {
  const acts = useActs()

  /** The eleventh of them stands alone on the second page of ten. */
  async function turn(page: Page): Promise<void> {
    await page.getByLabel('Rows').selectOption('10')
    await page.getByText(`1–10 of ${count}`).waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText(`11–11 of ${count}`).waitFor()
  }

  it('the members of a node and the holders of a role', async () => {
    const by = await acts.stage.owner()
    const node = Number(dataOf(await by.post('/tenant/orgs', { name: 'Many' }), 201)['id'])
    const code = 'one_of_many'
    const wish = { code, name: 'One of many', permissions: [], data_scope: 'ALL' }
    const role = Number(dataOf(await by.post('/tenant/roles', wish), 201)['id'])
    const people: number[] = []
    for (let number = 1; number <= count; number += 1) {
      const person = {
        email: `many${number}@demo.test`,
        nickname: `Many ${number}`,
        password: 'a long enough passphrase',
      }
      const user = dataOf(await by.post('/tenant/users', { ...person, roles: [code], org_ids: [node] }), 201)
      people.push(Number(user['id']))
    }
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), `/tenant/orgs/${node}`)
    await turn(page)
    // Whoever was alone on the last page goes, and with them the page.
    await page.getByRole('button', { name: /^Take Many / }).click()
    await page.getByText('1–10 of 10').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.goto(acts.at(`/tenant/roles/${role}?tab=holders`))
    await turn(page)
    assert.equal(await page.getByRole('link', { name: /^Many / }).count(), 1)
    assert.deepEqual(await axeFaults(page), [])
    // Lists of others begin with whoever came last.
    for (const id of people) dataOf(await by.delete(`/tenant/users/${id}`))
  })

  it('the versions of an agent, of which the last of a page is compared with the first of the next', async () => {
    const by = await acts.stage.owner()
    const wish = { code: 'often', name: 'Often published', model: 'demo' }
    const path = `/admin/ai/agents/${textOf(dataOf(await by.post('/admin/ai/agents', wish), 201)['id'])}`
    for (let number = 1; number <= count; number += 1) {
      dataOf(await by.put(path, { description: `As it was in ${number}` }))
      dataOf(await by.post(`${path}/publish`, {}))
    }
    const place = `${path.replace('/admin/ai', '/tenant')}?tab=versions`
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), place)
    await page.getByLabel('Rows').selectOption('10')
    await page.getByText(`1–10 of ${count}`).waitFor()
    await page.getByRole('button', { name: 'What changed in version 2', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('del').getByText('As it was in 1').waitFor()
    await dialog.locator('ins').getByText('As it was in 2').waitFor()
    assert.equal(await dialog.locator('del, ins').count(), 2)
    await page.keyboard.press('Escape')
    await turn(page)
    await page.getByRole('button', { name: 'What changed in version 1', exact: true }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
  })

  it('the routes of the gateway', async () => {
    const by = await acts.stage.staff()
    const path = '/admin/ai/gateway/routes'
    const before = Number(dataOf(await by.get(path))['total'])
    const made: string[] = []
    while (before + made.length < count) {
      const wish = { name: `Route ${made.length + 1}`, enabled: false, targets: [{ id: 't1', model: 'demo' }] }
      made.push(textOf(dataOf(await by.post(path, wish), 201)['id']))
    }
    const page = await acts.tab(await acts.signedIn(), path)
    await turn(page)
    const rows = page.getByRole('row').filter({ has: page.getByRole('cell') })
    assert.equal(await rows.count(), 1)
    assert.deepEqual(await axeFaults(page), [])
    for (const id of made) dataOf(await by.delete(`${path}/${id}`))
  })
})
