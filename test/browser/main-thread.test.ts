import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { composerOf, converse, readerOfWriter } from './support/chats.ts'
import { watchThread } from './support/main-thread.ts'
import { useActs, type Credentials } from './support/stage.ts'

const password = 'a long enough passphrase'
const everybody = { tenant: 'all' } as const
const owner: Credentials = { account: 'owner@busy.test', password, tenant_code: 'busy' }
const many = { people: 100, lines: 10_000 }
/** Seconds of the page's own thread, more than the budgets by what a machine may be slower; of a stream, its share of the time. */
const most = { table: 8 * 0.08, scroll: 8 * 0.05, hostile: 4 * 0.05, stream: 2 * 0.25 }

describe('53: what the thread of a page has to do', () => {
  const acts = useActs()
  let tenant = 0

  before(async () => {
    const staff = await acts.stage.staff()
    const first = { email: owner.account, password }
    tenant = Number(dataOf(await staff.post('/admin/tenants', { code: 'busy', name: 'Busy', owner: first }), 201)['id'])
    await acts.stage.host.kernel.database.knex.transaction(async (trx) => {
      const fill = (sql: string) => trx.raw(sql).queryContext(everybody)
      await fill(`insert into users (tenant_id, account, email, nickname, created_at)
        select ${tenant}, 'busy' || n, 'busy' || n || '@busy.test', 'Busy ' || n, now() - n * interval '1 minute'
          from generate_series(1, ${many.people}) n`)
      await fill(`insert into access_audit_log (tenant_id, action, target, actor_id, actor_scope, actor_tenant_id, created_at)
        select ${tenant}, 'config.changed', 'config:old-' || n, 1, 'tenant', ${tenant}, now() - interval '1 hour' - (${many.lines} - n) * interval '1 minute'
          from generate_series(1, ${many.lines}) n`)
    })
  })
  after(async () => {
    await (await acts.stage.staff()).delete(`/admin/tenants/${tenant}`)
  })

  it('53: a table of a hundred rows is drawn', async () => {
    const page = await acts.tab(await acts.signedIn(owner), '/tenant/users?q=busy&page_size=100')
    await rows(page)
      .nth(many.people - 1)
      .waitFor()
    const spent: number[] = []
    for (let time = 0; time < 5; time += 1) {
      await menu(page, 'Roles')
      await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor()
      const thread = await watchThread(page)
      await page.evaluate('history.back()')
      await rows(page)
        .nth(many.people - 1)
        .waitFor()
      spent.push((await thread.take()).tasks)
      await thread.end()
    }
    assert.ok(Math.min(...spent) > 0.001)
    assert.ok(middle(spent) < most.table, `${middle(spent)} s`)
  })

  it('53: ten thousand lines of a log are shown and gone through', async () => {
    const page = await acts.tab(await acts.signedIn(owner), '/tenant/audit-logs')
    const count = async () => Number(await page.getByRole('table').getAttribute('aria-rowcount'))
    const older = page.getByRole('button', { name: 'Older' })
    await older.waitFor()
    for (let isMore = true; isMore; isMore = (await older.count()) > 0) {
      const answer = page.waitForResponse(/audit-logs\?.*cursor=./)
      await older.press('Enter')
      await answer
      await until(
        async () => (await older.count()) === 0 || (await older.and(page.locator('[aria-busy]')).count()) === 0,
      )
    }
    await until(async () => (await count()) > many.lines)
    const spent: number[] = []
    const thread = await watchThread(page)
    for (let step = 30; step >= 0; step -= 1) {
      await page.evaluate(`(async () => {
        window.scrollTo(0, document.documentElement.scrollHeight * ${step} / 30)
        for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
      })()`)
      spent.push((await thread.take()).tasks)
    }
    await thread.end()
    assert.ok(middle(spent) < most.scroll, `${middle(spent)} s`)
  })

  it('53: an answer that streams leaves the thread free', async () => {
    const reader = await readerOfWriter(acts.stage)
    const page = await acts.tab(await acts.signedIn(reader.who), '/chat')
    await composerOf(page).fill(Array.from({ length: 3000 }, (_, at) => `word${String(at)}`).join(' '))
    await composerOf(page).press('Enter')
    const answer = page.getByRole('article', { name: 'Answer' })
    await answer.getByText('word20', { exact: false }).waitFor()
    const thread = await watchThread(page)
    await answer.getByText('word400', { exact: false }).waitFor()
    const { tasks, whole } = await thread.take()
    await thread.end()
    assert.ok(tasks > 0.01 && tasks < most.stream * whole, `${tasks} of ${whole} s`)
    await composerOf(page).press('Escape')
    await page.getByText('Stopped').waitFor()
  })

  it('44: an answer that is one line of 1 MB, a table of 10,000 rows, or code without an end holds up nothing', async () => {
    const reader = await readerOfWriter(acts.stage)
    const page = await acts.tab(await acts.signedIn(reader.who), '/chat')
    const plain = await converse(reader.api, 'Nothing')
    const spent = new Map<string, number>()
    for (const [name, text] of [
      ['a line', 'x'.repeat(1_000_000)],
      ['words', 'word '.repeat(200_000)],
      ['a table', `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(10_000)}`],
      ['code', `\`\`\`js\n${'const fence = "never closed"\n'.repeat(10_000)}`],
      ['a line of code', `\`\`\`js\n${'x'.repeat(1_000_000)}`],
      ['what is reversed', '\u202Ereversed \u2066'.repeat(50_000)],
    ] as const) {
      const id = await converse(reader.api, name)
      await say(id, text)
      const times: number[] = []
      for (let time = 0; time < 3; time += 1) {
        const floor = await opening(page, plain)
        times.push((await opening(page, id)) - floor)
        // All of it is there, also what is not laid out.
        assert.equal((await answerOf(page).textContent())?.includes(text.slice(-1_000).trim()), true)
      }
      spent.set(name, Math.min(...times))
    }
    const slow = [...spent].filter(([, seconds]) => seconds > most.hostile)
    assert.deepEqual(slow, [])
  })

  const answerOf = (page: Page) => page.getByRole('article', { name: 'Answer' })
  /** As if the answer had been this; no model says it. */
  async function say(conversation: string, content: string): Promise<void> {
    const { knex } = acts.stage.host.kernel.database
    const answer = { conversation_id: conversation, role: 'assistant' }
    await knex('ai_messages').queryContext(everybody).where(answer).update({ content })
  }
  /** Seconds of the thread until a conversation is drawn. */
  async function opening(page: Page, id: string): Promise<number> {
    const link = page.getByRole('navigation', { name: 'Conversations' }).locator(`a[href$="${id}"]`)
    await link.waitFor()
    const thread = await watchThread(page)
    await link.click()
    await page.waitForURL(new RegExp(id))
    await answerOf(page).waitFor()
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    const { tasks } = await thread.take()
    await thread.end()
    return tasks
  }
  const rows = (page: Page) => page.locator('main tbody tr')
  const middle = (spent: readonly number[]) => spent.toSorted((one, other) => one - other)[spent.length >> 1] ?? NaN
  async function menu(page: Page, name: string): Promise<void> {
    await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name, exact: true }).click()
  }
})
