import assert from 'node:assert/strict'
import { demoOwner, useActs } from './support/stage.ts'

describe('pages on paper', function () {
  this.timeout(180_000)
  const acts = useActs()

  it('52: a list, the log, usage and a conversation are printed without what leads elsewhere', async () => {
    const staff = await acts.tab(await acts.signedIn())
    const owner = await acts.tab(await acts.signedIn(demoOwner(acts.stage)))
    const printed = [
      [staff, '/admin/tenants'],
      [staff, '/admin/audit-logs'],
      [staff, '/admin/ai/usage'],
      [owner, '/chat'],
    ] as const
    for (const [page, address] of printed) {
      await page.goto(acts.at(address))
      await page.waitForLoadState('networkidle')
      const navigation = page.getByRole('navigation', { name: 'Main navigation' })
      await navigation.waitFor()
      await page.emulateMedia({ media: 'print' })
      await navigation.waitFor({ state: 'hidden' })
      const clipped = await page.evaluate<string[]>(`[...document.querySelectorAll('main, main *')]
        .filter((each) => /auto|scroll|hidden/.test(getComputedStyle(each).overflowY) && each.scrollHeight > each.clientHeight + 24 && each.clientHeight > 100)
        .map((each) => each.className)`)
      assert.deepEqual(clipped, [], address)
      await page.emulateMedia({ media: 'screen' })
    }
  })
})
