import assert from 'node:assert/strict'
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { consoleFolders } from '../../core-plugins/console/build/folders.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'

interface Record {
  readonly build: string
  readonly files: Readonly<{ [name: string]: unknown }>
}

const sessions = /\/assets\/SessionsPage-[^/]*\.js$/
const richText = /\/assets\/RichText-[^/]*\.js$/
const loadedBefore = 'window.isLoadedBefore === true'

describe('2.3: files of the console that do not come', () => {
  const acts = useActs()

  it('a page whose file is lost once on its way is shown all the same, without being loaded anew', async () => {
    const page = await opened('/profile')
    let asked = 0
    await page.route(/SessionsPage/, (route) => {
      asked += 1
      return asked === 1 ? route.abort('internetdisconnected') : route.continue()
    })
    await menuTo(page, 'Sessions')
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor()
    assert.ok(asked > 1, 'it was asked for again')
    assert.equal(await page.evaluate(loadedBefore), true)
  })

  it('a part of a page is asked for again as well, and says in its place what is missing', async () => {
    const page = await opened('/tenant/settings/tenant_basic', demoOwner(acts.stage))
    const nav = page.getByRole('navigation', { name: 'Groups' })
    let isAway = true
    await page.route(/\/assets\/HtmlSetting-/, (route) =>
      isAway ? route.abort('internetdisconnected') : route.continue(),
    )
    await nav.getByRole('link', { name: 'Legal texts' }).click()
    const said = page.getByText('This part of the console could not be loaded.').first()
    await said.waitFor()
    assert.deepEqual(await axeFaults(page), [])
    isAway = false
    const again = page.getByRole('button', { name: 'Try again' })
    for (let left = await again.count(); left > 0; left -= 1) {
      await again.first().click()
      await until(async () => (await again.count()) === left - 1)
    }
    await page.getByLabel('Privacy policy', { exact: true }).first().waitFor()
    assert.equal(await page.evaluate(loadedBefore), true)
  })

  it('while the network is away the page that is there stays, says so, and leads on once it is back', async () => {
    const page = await opened('/profile')
    let isAway = true
    await page.route(/SessionsPage/, (route) => (isAway ? route.abort('internetdisconnected') : route.continue()))
    await menuTo(page, 'Sessions')
    await page.getByText('The page could not be loaded. This one stays until it can.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    isAway = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor()
    await page.getByText('The page could not be loaded').waitFor({ state: 'detached' })
  })

  it('11: where another build took its files away, a tab is loaded anew once, at the page that was wanted', async () => {
    const page = await opened('/profile')
    await using gone = await takeAway(sessions)
    await menuTo(page, 'Sessions')
    // Anew: what was written into the page is not there any more.
    await until(async () => (await page.evaluate(loadedBefore).catch(() => true)) === false)
    assert.equal(new URL(page.url()).pathname, '/console/profile/sessions')
    // This deploy has no such page either: that is said, and nothing goes round and round.
    await page.getByText('This part of the console could not be loaded.').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.evaluate('window.isLoadedBefore = true')
    await gone[Symbol.asyncDispose]()
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor()
  })

  it('11: not while a form has something unsaved: there a bar says that there is a new version', async () => {
    const page = await opened('/tenant/settings/tenant_basic', demoOwner(acts.stage))
    await page.getByLabel('ICP number', { exact: true }).fill('typed')
    await using gone = await takeAway(richText)
    assert.ok(gone)
    await page.evaluate("window.dispatchEvent(new Event('vite:preloadError'))")
    await page.getByText('A new version is there. Reload when you have saved.').waitFor()
    assert.equal(await page.evaluate(loadedBefore), true)
    assert.equal(await page.getByLabel('ICP number', { exact: true }).inputValue(), 'typed')
    assert.deepEqual(await axeFaults(page), [])
  })

  /** A tab that remembers that it was not loaded anew; files that do not come are no fault of it. */
  async function opened(route: string, who?: Parameters<typeof acts.signedIn>[0]): Promise<Page> {
    const page = await (await acts.signedIn(who)).newPage()
    await page.goto(acts.at(route))
    await page.getByRole('button', { name: /^Account of/ }).waitFor()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.evaluate('window.isLoadedBefore = true')
    return page
  }
  async function menuTo(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('link', { name, exact: true }).click()
  }
  /** The server's folder as another build leaves it, without the files of this name; until it is disposed. */
  async function takeAway(name: RegExp): Promise<AsyncDisposable> {
    const [now, earlier] = ['build.json', 'earlier.json'].map((file) => path.join(consoleFolders.dist, file))
    assert.ok(now && earlier)
    const texts = await Promise.all([now, earlier].map((file) => readFile(file, 'utf8')))
    const record = JSON.parse(texts[0] ?? '') as Record
    const left = Object.entries(record.files).filter(([file]) => !name.test(`/${file.replace(/\.(br|gz)$/, '')}`))
    assert.ok(left.length < Object.keys(record.files).length, 'there is such a file')
    const other = { ...record, build: '0123456789abcdef', files: Object.fromEntries(left) }
    const show = async (build: string, ...contents: readonly string[]) => {
      for (const [at, file] of [earlier, now].entries()) {
        await writeFile(`${file}.test`, contents[at] ?? '')
        await rename(`${file}.test`, file)
      }
      await until(async () => {
        const answer = await fetch(`${acts.stage.host.url}/console/build.json`)
        return ((await answer.json()) as { build: string }).build === build
      })
    }
    await show(other.build, '[]', JSON.stringify(other))
    let isBack = false
    return {
      async [Symbol.asyncDispose]() {
        if (isBack) return
        isBack = true
        await show(record.build, texts[1] ?? '', texts[0] ?? '')
      },
    }
  }
})
