import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileSchemaCheck } from '#kernel'
import type { OpenedPage, PluginManifest, Release, TestPlugin } from '#sandbox'
import { bringUpToDate } from '../../core-plugins/console/build/bring-up-to-date.ts'
import { consoleFolders } from '../../core-plugins/console/build/folders.ts'
import { profile } from '../../core-plugins/auth/schemas.ts'
import { consoleAnswer } from '../../marketplace/browser/console-answers.ts'
import { Reader } from '../../marketplace/browser/reader.ts'
import { loadPlugin } from '../../marketplace/testing.ts'
import { handlers, html, manifest, pages } from '../marketplace/open-page-plugin.ts'
import { until } from '../support/until.ts'
import { makeScratch } from '../marketplace/sample-package.ts'

describe('a page of a plugin in its author’s tests', function () {
  let scratch: Awaited<ReturnType<typeof makeScratch>>
  let plugin: TestPlugin
  let page: OpenedPage | undefined

  before(async () => {
    await bringUpToDate(consoleFolders)
    scratch = await makeScratch()
    for (const folder of ['ui', 'dist']) await mkdir(join(scratch.path, folder))
    await writeFile(join(scratch.path, 'manifest.json'), JSON.stringify(manifest))
    await writeFile(join(scratch.path, 'dist/index.js'), handlers)
    await writeFile(join(scratch.path, 'ui/kept.js'), 'export {}')
    for (const [name, script] of Object.entries(pages)) {
      await writeFile(join(scratch.path, `ui/${name}.html`), html(`${name}.js`))
      await writeFile(join(scratch.path, `ui/${name}.js`), script)
    }
    plugin = await loadPlugin(scratch.path)
    equal(plugin.hasBrowser, true)
  })
  afterEach(async () => {
    await page?.[Symbol.asyncDispose]()
    page = undefined
  })
  after(async () => {
    await plugin[Symbol.asyncDispose]()
    await scratch[Symbol.asyncDispose]()
  })

  const open = async (id: string, context?: Parameters<TestPlugin['openPage']>[1]): Promise<OpenedPage> =>
    (page = await plugin.openPage(id, context))
  /** Until the page has written just this. */
  const shows = (value: unknown): Promise<void> => {
    const text = JSON.stringify(value)
    return opened()
      .locator('#out')
      .filter({ hasText: new RegExp(`^${RegExp.escape(text)}$`) })
      .waitFor()
  }
  const opened = (): OpenedPage => page ?? (undefined as never)
  const act = (name: string): Promise<void> => opened().getByRole('button', { name, exact: true }).click()
  const usual = {
    ...{ locale: 'en', theme: 'light', timeZone: 'Asia/Shanghai', preferences: { layout: 'list' } },
    ...{ tenant: { id: 1, code: 'test', name: 'test' }, user: { id: 1, permissions: ['read', 'write'] } },
  }

  it('is told the context that the test says, and hears what changes of it', async () => {
    await open('main', { context: { timeZone: 'Asia/Shanghai' } })
    await shows(usual)
    await opened().console.getByRole('heading', { name: 'Main' }).first().waitFor()
    const user = { id: 1, permissions: ['read'] }
    await opened().change({ theme: 'dark', permissions: ['read'], preferences: { layout: 'board' } })
    await shows({ ...usual, theme: 'dark', preferences: { layout: 'board' }, user })
    await opened().change({ locale: 'zh-CN' })
    await shows({ ...usual, locale: 'zh-CN', theme: 'dark', preferences: { layout: 'board' }, user })
  })

  it('begins as the test says: in another tenant, language and theme, at another place', async () => {
    const tenant = { id: 7, code: 'acme', name: 'Acme' }
    await open('main', {
      context: { ...{ tenant, locale: 'zh-CN', theme: 'dark', route: '/a/b?c=1' }, timeZone: 'UTC' },
    })
    await shows({ ...usual, tenant, locale: 'zh-CN', theme: 'dark', timeZone: 'UTC' })
    equal(opened().route(), '/a/b?c=1')
    equal(await opened().locator('html').getAttribute('data-theme'), 'dark')
    await opened().console.getByRole('heading', { name: '主页' }).first().waitFor()
  })

  it('asks the routes of the plugin under test, as whom it is shown to', async () => {
    await open('main', { context: { user: { id: 9, permissions: ['read'] } } })
    await act('who')
    await shows({ tenant: 'test', user: 9, query: { day: 'today' } })
    await act('open')
    await shows({ tenant: 'test', user: null, query: {} })
    await act('file')
    await shows('a,b')
    await act('broken')
    await shows({ status: 403, code: 4031 })
    deepEqual(opened().asked, [
      { method: 'GET', path: '/who?day=today', status: 200 },
      { method: 'GET', path: '/open', status: 200 },
      { method: 'GET', path: '/file', status: 200 },
      { method: 'POST', path: '/broken', status: 403 },
    ])
  })

  it('of the platform’s console asks those of administrators', async () => {
    await open('staff')
    await act('who')
    await shows({ tenant: null, user: 1, query: { day: 'today' } })
  })

  it('goes to routes of its own and back, and keeps what its user prefers', async () => {
    await open('main')
    await act('later')
    await shows({ route: '/later/still' })
    equal(opened().route(), '/later/still')
    await opened().back()
    await shows({ route: '/later' })
    await act('board')
    await shows({ preferences: { layout: 'board' } })
  })

  it('has its questions asked by the console, and hears the plugin’s events', async () => {
    await open('main')
    await act('sure')
    const question = opened().console.getByRole('dialog')
    match(await question.innerText(), /Pages[^]*Delete it\?[^]*It goes\./)
    await question.getByRole('button', { name: 'Delete' }).click()
    await shows(true)
    await opened().tell('acme.pages.thing.made', { id: 3 })
    await shows({ type: 'acme.pages.thing.made', payload: { id: 3 } })
  })

  it('says what it logs, and what is refused to it, with file and line', async () => {
    await open('main')
    await act('log')
    await act('fetch')
    await shows('refused')
    await opened().console.locator('[role=alert]').filter({ hasText: 'elsewhere.test' }).waitFor()
    // The console passes on each by itself.
    await until(() => opened().said.length === 2)
    const line = (pages['main'] ?? '').split('\n').findIndex((text) => text.includes('elsewhere.test')) + 1
    const [said, refused] = ['info', 'error'].map((level) => opened().said.find((one) => one.level === level))
    deepEqual(said, { level: 'info', message: 'I say so', places: [] })
    equal(refused?.message, 'The policy of pages refuses https://elsewhere.test/ (connect-src)')
    match(refused?.places[0] ?? '', new RegExp(`^at ui/main\\.js:${line}:\\d+$`))
  })

  it('stands in places that have their own height', async () => {
    await open('tab')
    await shows('inline')
    const frame = opened().console.locator('iframe[height]')
    await frame.waitFor()
    match((await frame.getAttribute('height')) ?? '', /^\d{3}$/)
  })

  it('that is not ready is refused with what went wrong in it, file and line', async () => {
    const [throws, misses] = await Promise.all(
      ['throws', 'misses', 'silent', 'none'].map((id) => plugin.openPage(id).then(String, String)),
    ).then((all) => {
      equal(all[2], 'Error: The page of silent did not call ready() within 10 s of being loaded.')
      equal(all[3], 'Error: The manifest has no slot none: it has main, other, tab, staff, throws, misses, silent.')
      return all
    })
    match(throws ?? '', /The page of throws is not ready:\n.*It ends here\nat ui\/throws\.js:6:7/)
    match(misses ?? '', /misses\.js does not load: there is no absent\.js\nat ui\/misses\.js:2:8/)
  })

  it('is shown to a reader of whom the console is told as by the platform', () => {
    const release = { manifest } as unknown as Release
    for (const area of ['tenant', 'admin'] as const) {
      const reader = new Reader(manifest as unknown as PluginManifest, area, {})
      const told = consoleAnswer('GET', '/auth/me', reader, release)
      deepEqual(compileSchemaCheck(profile, 'exact', 'lazily').explain(told, 'en'), [])
    }
  })

  it('needs a Chromium, and says so where there is none', async () => {
    const { CHROMIUM: told } = process.env
    process.env['CHROMIUM'] = '/nowhere/chromium'
    try {
      await using other = await loadPlugin(scratch.path)
      await rejects(other.openPage('main'), /\/nowhere\/chromium/)
    } finally {
      if (told === undefined) delete process.env['CHROMIUM']
      else process.env['CHROMIUM'] = told
    }
  })
})
