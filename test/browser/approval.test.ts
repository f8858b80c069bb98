import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Api } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'

const policy = '/admin/configs/groups/platform_tenant_policy'
const brand = '/tenant/configs/groups/tenant_basic'

describe('settings that the platform approves', () => {
  const acts = useActs()

  after(async () => {
    dataOf(await (await acts.stage.staff()).put(policy, { tenant_config_approval: 'off' }))
  })

  it('25: a change waits at its field; an administrator decides on the difference, and both sides see it at once', async () => {
    const staff = await acts.stage.staff()
    const owner = await acts.stage.owner()
    dataOf(await owner.put(brand, { footer_copyright: 'Before' }))
    dataOf(await staff.put(policy, { tenant_config_approval: 'all' }))
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant/settings/tenant_basic')
    const decider = await acts.tab(await acts.signedIn(), '/admin/config-changes?state=pending')
    await decider.getByText('There are no changes').or(decider.getByText('clear filters')).first().waitFor()
    const row = decider.getByRole('row').filter({ hasText: 'footer_copyright' })

    await ask(page, 'After')
    await page.getByText('A change to After waits for approval').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    assert.equal(await footerOf(owner), 'Before')
    await row.getByText('Waiting').waitFor()
    await row.getByRole('button', { name: 'Reject' }).click()
    const dialog = decider.getByRole('dialog', { name: 'Reject the change of tenant_basic' })
    await dialog.locator('ins').waitFor()
    assert.deepEqual(await dialog.locator('del, ins').allTextContents(), ['Before:Before', 'After:After'])
    assert.deepEqual(await axeFaults(decider), [])
    await dialog.getByLabel('Reason').fill('Not yet.')
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('waits for approval').first().waitFor({ state: 'detached' })
    await until(async () => (await footer(page).inputValue()) === 'Before')
    await row.waitFor({ state: 'detached' })

    await ask(page, 'At last')
    // Else the other could be faster than the mark, and there would be nothing whose end could be waited for.
    await page.getByText('A change to At last waits for approval').waitFor()
    await row.getByRole('button', { name: 'Approve' }).click()
    await decider.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await page.getByText('waits for approval').first().waitFor({ state: 'detached' })
    assert.equal(await footerOf(owner), 'At last')
    await until(async () => (await footer(page).inputValue()) === 'At last')
    await page.goto(acts.at('/tenant/config-changes'))
    const own = page.getByRole('row').filter({ hasText: 'footer_copyright' })
    await own.getByText('Not yet.').waitFor()
    assert.deepEqual(await own.getByText(/^(Applied|Rejected)$/).allInnerTexts(), ['Applied', 'Rejected'])
    await decider.getByLabel('State').selectOption('Applied')
    await row.getByText('Applied').waitFor()
  })

  const footer = (page: Page) => page.getByRole('textbox', { name: 'Copyright line' })
  async function ask(page: Page, value: string): Promise<void> {
    await footer(page).fill(value)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
  }
  async function footerOf(owner: Api): Promise<unknown> {
    const items = dataOf(await owner.get(brand))['items'] as unknown as readonly { key: string; value: unknown }[]
    return items.find(({ key }) => key === 'footer_copyright')?.value
  }
})
