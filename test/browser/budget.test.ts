import assert from 'node:assert/strict'
import type { BrowserContext } from 'playwright-core'
import { assetBytes } from './support/asset-bytes.ts'
import { demoOwner, useActs } from './support/stage.ts'
import { watchTraffic } from './support/traffic.ts'

/** Bytes of scripts over the wire, and requests with those to the API. */
const most = {
  signIn: { scripts: 130_000, styles: 40_000, requests: 25 },
  firstPage: { scripts: 300_000, styles: 40_000, requests: 45 },
}

describe('what a browser with an empty cache loads', () => {
  const acts = useActs()

  async function demand(context: BrowserContext, path: string, budget: (typeof most)['signIn']): Promise<void> {
    const page = await acts.tab(context)
    const takeTraffic = watchTraffic(page)
    await page.goto(acts.at(path))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByText('Loading').first().waitFor({ state: 'detached' })
    await page.waitForLoadState('networkidle')
    const { scripts, styles, requests } = takeTraffic()
    const used = { scripts: await assetBytes(scripts), styles: await assetBytes(styles), requests }
    const over = Object.entries(used).filter(([what, size]) => size > budget[what as keyof typeof budget])
    assert.deepEqual(over, [], JSON.stringify(used))
    // A page that loads nothing would be in any budget.
    assert.ok(used.scripts > 20_000 && used.styles > 1000 && requests > 5, JSON.stringify(used))
  }

  it('53: the sign-in', async () => demand(await acts.person(), '/login', most.signIn))

  it('53: the first page of the platform’s area', async () => demand(await acts.signedIn(), '/admin', most.firstPage))

  for (const path of ['/tenant', '/chat'])
    it(`53: the first page of a tenant’s area (${path})`, async () =>
      demand(await acts.signedIn(demoOwner(acts.stage)), path, most.firstPage))
})
