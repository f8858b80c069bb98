import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { overflowOf } from './support/on-a-phone.ts'
import { useActs } from './support/stage.ts'

describe('a long log', () => {
  const acts = useActs()

  /** A log with many lines of old changes; the newest of them was made an hour ago. */
  async function fillLog(count: number): Promise<void> {
    await acts.stage.host.kernel.database.knex.transaction(async (trx) => {
      const rows = `select 0, 'config.changed', 'config:old-' || n, 1, 'platform', 0, now() - interval '1 hour' - (${count} - n) * interval '1 minute'
        from generate_series(1, ${count}) n`
      await trx
        .raw(
          `insert into access_audit_log (tenant_id, action, target, actor_id, actor_scope, actor_tenant_id, created_at) ${rows}`,
        )
        .queryContext({ tenant: 'all' })
    })
  }

  const lines = 'main tbody tr:not([aria-hidden])'
  let page: Page
  let changes = 0

  before(() => fillLog(240))
  beforeEach(openWhole)

  async function openWhole(): Promise<void> {
    page = await acts.tab(await acts.signedIn(), '/admin/audit-logs?action=config.changed')
    const older = page.getByRole('button', { name: 'Older' })
    await older.waitFor()
    for (let isMore = true; isMore; isMore = (await older.count()) > 0) {
      const answer = page.waitForResponse(/audit-logs\?.*cursor=./)
      // By key: a pointer misses it where rows that are measured move it between down and up.
      await older.press('Enter')
      await answer
      // One question: between two of them the button may go.
      await until(async () => (await older.and(page.locator('[aria-busy]')).count()) === 0)
    }
    await until(async () => Number(await page.getByRole('table').getAttribute('aria-rowcount')) > 0)
  }

  /** What the lines near the top say breaks where it is narrow, and what those below say makes their column wide. */
  async function lengthen(): Promise<void> {
    await acts.stage.host.kernel.database.knex.transaction(async (trx) => {
      const number = `substring(target from 'config:old-(\\d+)$')::int`
      await trx
        .raw(
          `update access_audit_log set target = case when ${number} > 210 then repeat('words that are many ', 4)
             when ${number} between 150 and 190 then repeat('unbroken', 12) else '' end || target
           where target ~ 'config:old-\\d+$'`,
        )
        .queryContext({ tenant: 'all' })
    })
  }

  /** By key, as readers go: a script's way is no way of theirs, and rows that came a moment ago hold their place against it. */
  const toTheEnd = () =>
    until(async () => {
      await page.keyboard.press('End')
      return page.evaluate<boolean>('document.documentElement.scrollHeight - innerHeight - scrollY < 2')
    })
  const drawn = () => page.locator(lines).count()
  const topOf = async (text: string) => (await page.getByRole('row').filter({ hasText: text }).boundingBox())?.y ?? NaN
  const first = () => page.locator(lines).first().textContent()
  async function change(): Promise<void> {
    changes += 1
    const by = await acts.stage.staff()
    dataOf(await by.put('/admin/configs/groups/platform_plugin', { plugin_mails_per_day: 500 + changes }))
  }

  it('draws the rows near the reader, tells of all of them, and has all of them on paper', async () => {
    const whole = Number(await page.getByRole('table').getAttribute('aria-rowcount'))
    assert.ok(whole > 240)
    await toTheEnd()
    const last = page.locator(lines).last()
    await until(async () => Number(await last.getAttribute('aria-rowindex')) === whole)
    assert.match((await last.textContent()) ?? '', /config:/)
    assert.ok((await drawn()) < 80, `${await drawn()} rows are drawn`)
    assert.deepEqual(await axeFaults(page), [])

    await page.emulateMedia({ media: 'print' })
    await until(async () => (await drawn()) === whole - 1)
    await page.emulateMedia({ media: 'screen' })
    await until(async () => (await drawn()) < 80)
  })

  it('finds what is loaded though it is not drawn, by keyboard', async () => {
    const find = page.getByRole('searchbox', { name: 'Find in the loaded lines' })
    await find.fill('CONFIG:OLD-12')
    const told = page.getByRole('search', { name: 'Find in the loaded lines' }).getByText(/\d of \d/)
    await until(async () => (await told.textContent()) === '1 of 11')
    const found = page.locator('[aria-current=true]')
    await until(async () => /config:old-129/.test((await found.textContent()) ?? ''))
    await find.press('Shift+Enter')
    await until(async () => /config:old-12(?!\d)/.test((await found.textContent()) ?? ''))
    assert.equal(await told.textContent(), '11 of 11')
    const place = await found.boundingBox()
    assert.ok(place && place.y > 100 && place.y < 800, 'the row that was found is seen')
    await find.press('Enter')
    await until(async () => (await told.textContent()) === '1 of 11')
    assert.deepEqual(await axeFaults(page), [])
    await find.press('Escape')
    assert.equal(await found.count(), 0)
  })

  it('says how many lines have come, and takes them in without moving what is read', async () => {
    await page.getByRole('searchbox', { name: 'Find in the loaded lines' }).fill('old-129')
    await page.getByRole('row').filter({ hasText: 'config:old-129' }).waitFor()
    await page.waitForFunction('document.querySelector("tr.found")?.getBoundingClientRect().top > 100')
    const before = await topOf('config:old-129')
    await change()
    await change()
    await page.getByRole('button', { name: '2 newer' }).waitFor()
    assert.ok(Math.abs((await topOf('config:old-129')) - before) < 2)
    const count = Number(await page.getByRole('table').getAttribute('aria-rowcount'))
    await page.getByRole('button', { name: '2 newer' }).click()
    await page.getByText('2 newer lines are above').waitFor()
    await until(async () => Number(await page.getByRole('table').getAttribute('aria-rowcount')) === count + 2)
    await page.getByRole('button', { name: '2 newer' }).waitFor({ state: 'hidden' })
    assert.ok(Math.abs((await topOf('config:old-129')) - before) < 2)
    await page.evaluate('window.scrollTo(0, 0)')
    await until(async () => /platform_plugin/.test((await first()) ?? ''))
  })

  it('keeps the row that has the focus when others before it go', async () => {
    const row = page.getByRole('row').filter({ hasText: 'config:old-129' })
    await page.getByRole('searchbox', { name: 'Find in the loaded lines' }).fill('old-129')
    await row.getByRole('button').first().focus()
    await page.evaluate('window.scrollTo(0, 0)')
    await page.locator(`${lines}[data-index="0"]`).waitFor()
    await acts.stage.host.kernel.database.knex.transaction(async (trx) => {
      const newest = `select id from access_audit_log where target in ('config:old-238', 'config:old-239', 'config:old-240')`
      await trx.raw(`delete from access_audit_log where id in (${newest})`).queryContext({ tenant: 'all' })
    })
    await change()
    await page.getByRole('button', { name: '1 newer' }).waitFor()
    await until(async () => (await page.getByText('config:old-240').count()) === 0)
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
    await until(async () => Number(await page.locator(lines).last().getAttribute('data-index')) > 200)
    assert.match(await page.evaluate('document.activeElement.closest("tr")?.textContent ?? ""'), /config:old-129/)
  })

  it('shows what has come to a reader of its beginning, on a phone as well', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.evaluate('window.scrollTo(0, 0)')
    await page.locator(`${lines}[data-index="0"]`).waitFor()
    const count = await page.getByRole('table').getAttribute('aria-rowcount')
    await change()
    await page.getByRole('button', { name: '1 newer' }).click()
    await until(async () => (await page.getByRole('table').getAttribute('aria-rowcount')) !== count)
    assert.match((await page.locator('main tr.fresh').textContent()) ?? '', /platform_plugin/)
    assert.equal(await overflowOf(page), '')
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight / 2)')
    await until(async () => (await drawn()) > 5 && (await drawn()) < 80)
    assert.equal(await overflowOf(page), '')
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  /** A place once heights that were guessed have become those that are, which takes some frames: the same through many. */
  async function settled(placeOf: () => Promise<number>): Promise<number> {
    let place = NaN
    let same = 0
    await until(async () => {
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      const now = await placeOf()
      same = now === place ? same + 1 : 0
      place = now
      return same >= 10
    })
    return place
  }

  it('2.5: is as it was left when its reader comes back to it, without being read anew', async () => {
    await lengthen()
    await openWhole()
    await toTheEnd()
    const whole = await page.getByRole('table').getAttribute('aria-rowcount')
    const last = page.locator(lines).last()
    await until(async () => (await last.getAttribute('aria-rowindex')) === whole)
    const placeOf = async () => Math.round((await last.boundingBox())?.y ?? NaN)
    const place = await settled(placeOf)
    await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => void (request.url().includes('/audit-logs?') && asked.push(request.url())))
    await change()
    // What was read is old by now.
    await page.clock.setSystemTime(Date.now() + 60_000)
    await page.goBack()
    await until(async () => (await last.getAttribute('aria-rowindex')) === whole)
    await until(async () => Math.abs((await placeOf()) - place) < 2).catch(async () => {
      assert.fail(`it was at ${place}, and is at ${await placeOf()}`)
    })
    await page.getByRole('button', { name: /^\d newer$/ }).waitFor()
    assert.deepEqual(
      asked.filter((url) => /cursor=[^&]/.test(url)),
      [],
    )
  })
})
