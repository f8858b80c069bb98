import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { textOf } from '../support/attachments.ts'
import type { Api, Body } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'

const routes = '/admin/ai/gateway/routes'

describe('forms and lists of the AI administration', () => {
  const acts = useActs()

  const itemsOf = async (by: Api, path: string) => dataOf(await by.get(path))['items'] as unknown as readonly Body[]
  const routeOf = async (by: Api, id: unknown): Promise<Body> =>
    (await itemsOf(by, `${routes}?page_size=100`)).find((route) => route['id'] === id) ?? assert.fail('no such route')
  /** What somebody else changed is shown, and saving once more puts the reader's in its place. */
  async function saveTwice(page: Page, theirs: string): Promise<void> {
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const meanwhile = dialog.getByRole('region', { name: 'Changed meanwhile' })
    await meanwhile.locator('del').filter({ hasText: theirs }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  it('a route keeps all that its form does not change, and what is emptied is anything again', async () => {
    const by = await acts.stage.staff()
    const made = dataOf(
      await by.post(routes, {
        ...{ name: 'Kept', enabled: false, priority: 901, strategy: 'cost', cache: { max_age_s: 60 } },
        match: { models: ['demo'], agents: ['agt_one'], when: { has_tools: true, input_tokens_gt: 500 } },
        targets: [{ id: 't1', model: 'demo', tier: 0, max_concurrency: 3 }],
        fallbacks: [
          { on: ['failed', 'context_length'], model: 'demo', notify: true },
          { on: ['budget_exceeded'], model: 'demo' },
        ],
      }),
      201,
    )
    const page = await acts.tab(await acts.signedIn(), '/admin/ai/gateway/routes')
    await page.getByRole('button', { name: 'Edit Kept' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Strategy').selectOption('as the gateway says')
    await dialog.getByLabel('Models', { exact: true }).fill('')
    await dialog.getByLabel('Tenants (numbers)').fill('acme')
    await dialog.getByLabel('Requests with tools').selectOption('only without tools')
    await dialog.getByRole('button', { name: 'Add a fallback' }).click()
    const third = dialog.getByRole('group', { name: 'fallback 3' })
    await third.getByLabel('Model of fallback 3').fill('demo')
    await third.getByRole('checkbox', { name: 'a quota is used up' }).check()
    await third.getByRole('checkbox', { name: 'every target fails' }).uncheck()
    await third.getByRole('button', { name: 'Move fallback 3 up' }).press('Enter')
    await dialog.getByRole('button', { name: 'Save' }).click()
    // A tenant is a number.
    await dialog.locator('[aria-invalid="true"]').and(dialog.getByLabel('Tenants (numbers)')).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByLabel('Tenants (numbers)').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const kept = await routeOf(by, made['id'])
    const { strategy, match, targets, fallbacks, cache, enabled } = kept
    assert.deepEqual(
      { strategy, match, targets, fallbacks, cache, enabled },
      {
        ...{ strategy: null, cache: { max_age_s: 60 }, enabled: false, targets: made['targets'] },
        match: {
          ...{ models: [], tenants: [], agents: ['agt_one'], keys: [] },
          when: { has_tools: false, input_tokens_gt: 500 },
        },
        fallbacks: [
          { on: ['failed', 'context_length'], model: 'demo', notify: true },
          { on: ['quota_exceeded'], model: 'demo' },
          { on: ['budget_exceeded'], model: 'demo' },
        ],
      },
    )

    await page.getByRole('button', { name: 'Edit Kept' }).click()
    dataOf(await by.put(`${routes}/${textOf(made['id'])}`, { priority: 902 }))
    await saveTwice(page, '902')
    assert.equal((await routeOf(by, made['id']))['priority'], 901)
    dataOf(await by.delete(`${routes}/${textOf(made['id'])}`))
  })

  it('keys and quotas are sorted by their status, and a key tells whose it is and what it may ask', async () => {
    const by = await acts.stage.staff()
    dataOf(await by.post('/admin/ai/api-keys', { name: 'Sorted', models: ['demo', 'other-*'] }), 201)
    dataOf(await by.post('/admin/ai/quotas', { name: 'Sorted too', metric: 'requests', limit: '1000000' }), 201)
    const page = await acts.tab(await acts.signedIn(), '/admin/ai/api-keys')
    const key = page.getByRole('row').filter({ hasText: 'Sorted' })
    await key.getByText('demo, other-*').waitFor()
    await key.getByText('Platform', { exact: true }).waitFor()
    for (const [path, name] of [
      ['/admin/ai/api-keys', 'Sorted'],
      ['/admin/ai/quotas', 'Sorted too'],
    ] as const) {
      await page.goto(acts.at(path))
      const answer = page.waitForResponse(
        (response) => response.url().includes(`${path}?`) && response.url().includes('sort=status'),
      )
      await page.getByRole('columnheader', { name: 'Status' }).getByRole('button', { name: 'Status' }).click()
      assert.equal((await answer).status(), 200)
      await page.locator('th[aria-sort="ascending"]').getByText('Status').waitFor()
      await page.getByRole('row').filter({ hasText: name }).waitFor()
    }
    assert.deepEqual(await axeFaults(page), [])
  })

  it('models are found by their provider, whose changes are not written over', async () => {
    const by = await acts.stage.staff()
    const second = { code: 'second', name: 'Second vendor', type: 'demo' }
    const provider = textOf(dataOf(await by.post('/admin/ai/providers', second), 201)['id'])
    const wish = { name: 'second-model', kind: 'chat', provider_id: provider, upstream_model: 'demo' }
    const model = textOf(dataOf(await by.post('/admin/ai/models', wish), 201)['id'])
    const page = await acts.tab(await acts.signedIn(), '/admin/ai/models')
    await page.getByRole('combobox', { name: 'Provider' }).selectOption('Second vendor')
    await page.waitForURL((url) => url.searchParams.get('provider_id') === provider)
    const rows = page.getByRole('row').filter({ has: page.getByRole('cell') })
    await rows.filter({ hasNotText: 'second-model' }).first().waitFor({ state: 'detached' })
    await rows.getByRole('cell', { name: 'Second vendor' }).waitFor()
    assert.deepEqual([await rows.count(), await axeFaults(page)], [1, []])

    await page.getByRole('link', { name: 'second-model' }).click()
    await page.getByRole('button', { name: 'New version' }).click()
    dataOf(await by.post(`/admin/ai/models/${model}/versions`, { upstream_model: 'demo-newer' }), 201)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByRole('region', { name: 'Changed meanwhile' }).getByText('demo-newer').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await page.goto(acts.at('/admin/ai/providers'))
    await page.getByRole('button', { name: 'Edit Second vendor' }).click()
    dataOf(await by.put(`/admin/ai/providers/${provider}`, { name: 'Third vendor' }))
    await saveTwice(page, 'Third vendor')
    assert.equal(dataOf(await by.get(`/admin/ai/providers/${provider}`))['name'], 'Second vendor')
    dataOf(await by.delete(`/admin/ai/models/${model}?force=true`))
    dataOf(await by.delete(`/admin/ai/providers/${provider}?force=true`))
  })

  it('requests are found by how they ended, from the page of what was used', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/ai/usage')
    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor()
    const answer = page.waitForResponse((response) => response.url().includes('outcome=never_was'))
    await page.getByLabel('Outcome').fill('never_was')
    await page.getByLabel('Outcome').press('Enter')
    assert.equal((await answer).status(), 200)
    await page.getByText('Nothing fits').waitFor()
    assert.deepEqual(await axeFaults(page), [])
  })

  it('3.2: a report is made again each month, and told to people by e-mail, until it is deleted', async () => {
    const by = await acts.stage.staff()
    const page = await acts.tab(await acts.signedIn(), '/admin/ai/usage')
    await page.getByRole('button', { name: 'New report' }).click()
    const dialog = page.getByRole('dialog', { name: 'New report' })
    await dialog.getByLabel('Name').fill('Every month')
    await dialog.getByLabel('Kind').selectOption('Costs by group')
    await dialog.getByLabel('By', { exact: true }).selectOption('Agent')
    await dialog.getByLabel('Again').selectOption('On the first of each month at 6')
    await dialog.getByLabel('Tell by e-mail').fill('nobody')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByRole('alert').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByLabel('Tell by e-mail').fill('one@books.test\ntwo@books.test')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.waitFor({ state: 'detached' })
    const row = page.getByRole('row').filter({ hasText: 'Every month' })
    await row.getByText('On the first of each month at 6').waitFor()
    const { items } = dataOf(await by.get('/admin/ai/usage/reports')) as unknown as { items: readonly Body[] }
    const made = items.find(({ name }) => (name as unknown) === 'Every month')
    assert.deepEqual(
      [made?.['type'], made?.['group_by'], made?.['schedule'], made?.['deliver']?.['email']],
      ['cost_by', ['agent'], '0 6 1 * *', ['one@books.test', 'two@books.test']],
    )
    await row.getByRole('button', { name: 'Delete Every month' }).click()
    const question = page.getByRole('dialog')
    await question.getByText('It is not made again').waitFor()
    await question.getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
  })

  it('an agent is for people who are named, and says how long its answers and its runs may be', async () => {
    const by = await acts.stage.owner()
    const wish = { code: 'named', name: 'For named people', model: 'demo', max_output_tokens: 900 }
    const path = `/admin/ai/agents/${textOf(dataOf(await by.post('/admin/ai/agents', wish), 201)['id'])}`
    const who = { email: 'named@demo.test', nickname: 'Nadia Named', password: 'a long enough passphrase' }
    const user = dataOf(await by.post('/tenant/users', { ...who, roles: [] }), 201)['id']
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), path.replace('/admin/ai', '/tenant'))
    await page.getByLabel('Who may use it').selectOption('For some')
    await page.getByRole('group', { name: 'People' }).getByText('Nobody is named.').waitFor()
    await page.getByRole('button', { name: 'Add people' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add people' })
    await dialog.getByRole('searchbox', { name: 'Search' }).fill('Nadia')
    await dialog.getByRole('checkbox', { name: /^Nadia Named/ }).check()
    await dialog.getByRole('button', { name: 'Add 1' }).click()
    await page.getByRole('group', { name: 'People' }).getByText('Nadia Named').waitFor()
    await page.getByLabel('Longest answer (tokens)').fill('')
    await page.getByRole('spinbutton', { name: 'Steps', exact: true }).fill('3')
    assert.deepEqual(await axeFaults(page), [])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    const agent = dataOf(await by.get(path)) as unknown as { readonly access: Body; readonly draft: Body }
    const { max_output_tokens: longest, max_steps: steps } = agent.draft
    assert.deepEqual([agent.access['user_ids'], longest, steps], [[user], null, 3])
    await page.reload()
    await page.getByRole('button', { name: 'Remove Nadia Named' }).click()
    await page.getByRole('group', { name: 'People' }).getByText('Nobody is named.').waitFor()
  })

  it('documents of a knowledge base are paged, sought and narrowed, and the base itself is changed', async () => {
    const by = await acts.stage.owner()
    const path = `/admin/ai/knowledge-bases/${textOf(dataOf(await by.post('/admin/ai/knowledge-bases', { name: 'Papers' }), 201)['id'])}`
    for (let number = 1; number <= 11; number += 1) {
      const paper = { title: `Paper ${number}`, text: `What paper ${number} says.` }
      dataOf(await by.post(`${path}/documents`, paper), 201)
    }
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), path.replace('/admin/ai', '/tenant'))
    const rows = page.getByRole('row').filter({ has: page.getByRole('cell') })
    await page.getByLabel('Rows').selectOption('10')
    await page.getByText('1–10 of 11').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('11–11 of 11').waitFor()
    assert.equal(await rows.count(), 1)
    await page.getByRole('searchbox', { name: 'Search' }).fill('Paper 11')
    await page.getByText('1–1 of 1').waitFor()
    await rows.getByText('Paper 11').waitFor()
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Failed')
    await page.getByText('Nothing fits').waitFor()
    assert.deepEqual(await axeFaults(page), [])

    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Passages per search').fill('7')
    dataOf(await by.put(path, { description: 'Of somebody else' }))
    await saveTwice(page, 'Of somebody else')
    const base = dataOf(await by.get(path)) as unknown as { readonly description: string; readonly retrieval: Body }
    assert.deepEqual([base.description, base.retrieval['top_k']], ['', 7])
  })
})
