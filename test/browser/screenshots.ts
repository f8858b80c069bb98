import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pagesOf } from './support/pages.ts'
import { demoOwner, useActs } from './support/stage.ts'

const folder = process.env['SCREENSHOTS'] ?? path.join(tmpdir(), 'stoa-screenshots')
const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 740 } }

// No part of the suite: pictures of each page in both languages, themes and widths, for people to look at.
describe('screenshots', function () {
  this.timeout(600_000)
  const acts = useActs()

  it(`are written to ${folder}`, async () => {
    await mkdir(folder, { recursive: true })
    for (const scope of ['open', 'platform', 'tenant'] as const) {
      const pages = await pagesOf(acts.stage, scope)
      for (const locale of ['en', 'zh-CN'] as const) {
        for (const [width, viewport] of Object.entries(sizes)) {
          // What still moves from one colour to the other looks like neither.
          const options = { locale, viewport, reducedMotion: 'reduce' } as const
          const context =
            scope === 'open'
              ? await acts.person(options)
              : await acts.signedIn(scope === 'tenant' ? demoOwner(acts.stage) : undefined, options)
          const page = await acts.tab(context)
          for (const { path: address } of pages) {
            // With a token, which the page of a first run needs; its form is shown and not sent.
            await page.goto(acts.at(address === '/setup' ? '/setup#token=none' : address))
            await page.getByRole('heading', { level: 1 }).waitFor()
            await page.waitForLoadState('networkidle')
            for (const colorScheme of ['light', 'dark'] as const) {
              await page.emulateMedia({ colorScheme })
              const name = [scope, address.replaceAll('/', '_') || '_', locale, colorScheme, width].join('.')
              await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true })
            }
          }
          await context.close()
        }
      }
    }
  })
})
