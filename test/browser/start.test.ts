import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { Api } from '../support/api.ts'
import { readFirstRun } from '../support/first-run.ts'
import { checkout, freePort, startHostProcess, type HostProcess } from '../support/host-process.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { admin, useActs } from './support/stage.ts'
import { accountOf, signInByHand } from './support/steps.ts'

const parts = ['kernel', 'core-plugins', 'sandbox', 'marketplace', 'package.json', 'package-lock.json', 'tsconfig.json']

// One checkout of its own, whose sources and files are changed: the tests are one story, in this order.
describe('a start of the platform', function () {
  this.timeout(240_000)
  const acts = useActs()
  let folder: string
  let port: number
  let host: HostProcess
  const inCheckout = (...names: string[]) => path.join(folder, 'checkout', ...names)
  const web = (...names: string[]) => inCheckout('core-plugins', 'console', 'web', ...names)
  const dist = (...names: string[]) => inCheckout('core-plugins', 'console', 'dist', ...names)

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'stoa-start-'))
    const built = path.join(checkout, 'core-plugins', 'console', 'dist')
    for (const part of parts) {
      const filter = (source: string) => source !== built
      await cp(path.join(checkout, part), inCheckout(part), { recursive: true, filter })
    }
    await symlink(path.join(checkout, 'node_modules'), inCheckout('node_modules'))
    port = await freePort()
  })
  after(async () => {
    await host?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  it('3: without a console answers, says that it is being built, and becomes the console by itself', async () => {
    await start()
    const page = await open('/login')
    await page.getByText('The console is being built.').waitFor()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout: 200_000 })
  })

  it('4: with the console built serves it at once and builds nothing', async () => {
    const before = await buildOf()
    await start()
    const page = await open('/login')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.equal(await buildOf(), before)
  })

  it('5, 11: builds changed sources; a tab of the build before opens pages it had not loaded, and once their files are gone it loads itself anew, but not over a form', async () => {
    const api = new Api(host.url)
    const { setup_token: token } = await readFirstRun(path.join(folder, 'data'))
    dataOf(await api.post('/api/public/setup', { token, ...admin }), 201)
    const [old, later, form] = [await open('/login'), await open('/login'), await open('/login')]
    await signInByHand(form, admin.email, admin.password)
    await accountOf(form)
    await form.goto(`${host.url}/console/admin/configs/platform_basic`)
    await form.getByRole('textbox', { name: 'Description' }).fill('typed')

    const texts = web('locales', 'en', 'public.json')
    const named = (await readFile(texts, 'utf8')).replace(/"forgot": "[^"]*"/, '"forgot": "Another word for it"')
    await writeFile(texts, named)
    const before = await buildOf()
    await start()
    await until(async () => (await buildOf()) !== before, 200_000)
    await old.getByRole('link', { name: 'Forgot' }).click()
    await old.getByRole('button', { name: 'Send' }).waitFor()
    assert.equal(await old.getByRole('heading', { name: 'Another word for it' }).count(), 0)

    await rm(dist('earlier.json'))
    await start()
    await later.getByRole('link', { name: 'Forgot' }).click()
    await later.getByRole('heading', { name: 'Another word for it' }).waitFor()
    form.on('dialog', (dialog) => void dialog.accept())
    await form.getByRole('link', { name: 'Marketplace' }).click()
    await form.getByText('A new version is there.').waitFor()
    assert.equal(await form.getByRole('textbox', { name: 'Description' }).inputValue(), 'typed')
  })

  it('5: with a fault in the sources runs all the same, and the page names the command that tells it', async () => {
    await writeFile(web('App.vue'), '<template><div></template>')
    await rm(dist(), { recursive: true })
    await start()
    const page = await open('/')
    await page.getByText('npm run build').first().waitFor({ timeout: 200_000 })
    assert.equal((await new Api(host.url).get('/api/public/health')).status, 200)
  })

  async function start(): Promise<void> {
    await host?.stop()
    const env = { STOA_DEMO: '0' }
    host = await startHostProcess({ dataDir: path.join(folder, 'data'), checkout: inCheckout(), port, env })
  }
  async function open(route: string): Promise<Page> {
    const page = await (await acts.person()).newPage()
    await page.goto(`${host.url}/console${route}`)
    return page
  }
  async function buildOf(): Promise<unknown> {
    return (await new Api(host.url).get('/console/build.json')).body['build']
  }
})
