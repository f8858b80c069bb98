import assert from 'node:assert/strict'
import type { Route } from 'playwright-core'
import { useActs } from './support/stage.ts'

describe('what is being typed in the console', () => {
  const acts = useActs()

  for (const [at, log, label, name, none] of [
    ['/admin/ai/requests', '/admin/ai/health/logs', 'Outcome', 'outcome', 'Nothing was asked yet'],
    ['/admin/audit-logs', '/admin/audit-logs', 'Target', 'target', 'Nothing was written yet'],
  ] as const)
    it(`stays while the rows of ${log} come, and is asked for once it is finished`, async () => {
      const page = await acts.tab(await acts.signedIn())
      const first = Promise.withResolvers<Route>()
      await page.route((url) => url.pathname.endsWith(log) && !url.pathname.startsWith('/console'), first.resolve, {
        times: 1,
      })
      await page.goto(acts.at(at))
      const field = page.getByLabel(label, { exact: true })
      await field.fill('never_was')
      await (await first.promise).fulfill({ json: { code: 0, message: '', data: { items: [], has_more: false } } })
      await page.getByText(none).waitFor()
      assert.equal(await field.inputValue(), 'never_was')
      const answer = page.waitForResponse((each) => each.url().includes(`${name}=never_was`))
      await field.press('Enter')
      assert.equal((await answer).status(), 200)
      await page.getByText('Nothing fits').waitFor()
    })
})
