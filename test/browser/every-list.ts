import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { dataOf } from '../support/platform.ts'
import { growLarge, large } from './support/large.ts'
import { pagesOf } from './support/pages.ts'
import { demoOwner, useActs } from './support/stage.ts'
import { watchTraffic } from './support/traffic.ts'

const most = 1_000
const visits = 3
/** What a list shows at once, and a picker finds, at most. */
const mostRows = 100

interface Opened {
  readonly path: string
  /** From the address to the last thing that came, of the quickest of a few visits: the machine has other things to do. */
  readonly milliseconds: number
  /** The slowest request of that visit. */
  readonly slowest: string
}

// No part of the suite: every page of the console on a platform that has much of everything, with its time.
describe('with much of everything', function () {
  this.timeout(1_800_000)
  const acts = useActs()
  let tenant: number

  before(async () => {
    const staff = await acts.stage.staff()
    await acts.stage.owner()
    const { items } = dataOf(await staff.get('/admin/tenants?q=demo')) as unknown as { items: { id: number }[] }
    tenant = items[0]?.id ?? assert.fail('there is no demo tenant')
    const at = performance.now()
    await growLarge(acts.stage.host.kernel.database.knex, tenant)
    console.log(`${JSON.stringify(large)} in ${Math.round((performance.now() - at) / 1_000)} s`)
  })

  for (const scope of ['platform', 'tenant'] as const)
    it(`55: every page of the ${scope} opens within a second, and neither it nor a picker of it loads all`, async () => {
      const pages = await pagesOf(acts.stage, scope)
      const context = await acts.signedIn(scope === 'tenant' ? demoOwner(acts.stage) : undefined)
      const page = await acts.tab(context, '/')
      const wholes = watchRows(page)
      const traffic = watchTraffic(page)
      const opened: Opened[] = []
      for (const { path } of pages) {
        const times: Opened[] = []
        while (times.length < visits && !times.some(({ milliseconds }) => milliseconds <= most))
          times.push(await open(page, path))
        const [best] = times.sort((one, other) => one.milliseconds - other.milliseconds)
        if (best) opened.push(best)
        await openPickers(page)
      }
      for (const { path, milliseconds, slowest } of opened.sort((one, other) => other.milliseconds - one.milliseconds))
        console.log(`${String(Math.round(milliseconds)).padStart(6)} ms  ${path}  (${slowest})`)
      assert.deepEqual({ large: traffic().large, wholes }, { large: [], wholes: [] })
      assert.deepEqual(
        opened.filter(({ milliseconds }) => milliseconds > most).map(({ path }) => path),
        [],
      )
    })

  async function open(page: Page, path: string): Promise<Opened> {
    const asked = new Map<object, number>()
    let [last, slowest] = [0, { url: '', took: 0 }]
    const begin = (request: object) => void asked.set(request, performance.now())
    const end = (request: { url(): string }) => {
      last = performance.now()
      const took = last - (asked.get(request) ?? last)
      const { pathname, search } = new URL(request.url())
      if (took > slowest.took) slowest = { url: pathname + search, took }
    }
    page.on('request', begin).on('requestfinished', end)
    const at = performance.now()
    await page.goto(acts.at(path))
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    const shown = performance.now()
    await page.waitForLoadState('networkidle')
    page.off('request', begin).off('requestfinished', end)
    const milliseconds = Math.max(last, shown) - at
    return { path, milliseconds, slowest: `${Math.round(slowest.took)} ms ${slowest.url}` }
  }
  /** Opens what things are picked with. */
  async function openPickers(page: Page): Promise<void> {
    for (const box of await page.getByRole('main').getByRole('combobox').all()) {
      if (!(await box.isVisible()) || (await box.locator('option').count()) > 0) continue
      await box.click()
      await page.waitForLoadState('networkidle')
      await page.keyboard.press('Escape')
    }
  }
  /** Which answers had more than a list shows at once. */
  function watchRows(page: Page): readonly string[] {
    const wholes: string[] = []
    page.on('response', (answer) => {
      if (!answer.headers()['content-type']?.startsWith('application/json')) return
      void answer
        .json()
        .then((body: { data?: { items?: unknown } } | null) => {
          const { items } = body?.data ?? {}
          const count = Array.isArray(items) ? items.length : 0
          if (count > mostRows) wholes.push(`${new URL(answer.url()).pathname}: ${count}`)
        })
        // What the page left meanwhile.
        .catch(() => undefined)
    })
    return wholes
  }
})
