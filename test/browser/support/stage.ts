import { setTimeout as sleep } from 'node:timers/promises'
import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { bringUpToDate } from '../../../core-plugins/console/build/bring-up-to-date.ts'
import { consoleFolders } from '../../../core-plugins/console/build/folders.ts'
import { corePlugins } from '../../../core-plugins/index.ts'
import type { Api } from '../../support/api.ts'
import type { FirstRun } from '../../support/first-run.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { startLanes, type Lanes } from '../../support/mcp/http-lanes.ts'
import { dataOf } from '../../support/platform.ts'
import { startS3Server, type S3Server } from '../../support/s3-server.ts'
import { smtpAllowance } from '../../support/smtp-server.ts'
import { patient, startChromium, watchPage } from './chromium.ts'

/** Who the set-up makes the administrator. */
export const admin = { email: 'admin@stoa.test', password: 'a long enough passphrase' }

/** With what somebody signs in; without a tenant's code to the platform. */
export interface Credentials {
  readonly account: string
  readonly password: string
  readonly tenant_code?: string
}

/** The one platform and the one browser of the whole run. */
export interface Stage {
  readonly host: TestKernel
  readonly browser: Browser
  readonly firstRun: FirstRun
  /** Servers of others that the platform may speak to. */
  readonly lanes: Lanes
  /** A bucket that the platform may keep files in. */
  readonly s3: S3Server
  /** The administrator’s tokens for calls that are not the matter of a test; the first caller uses the set-up link. */
  readonly staff: () => Promise<Api>
  /** The same for the demo tenant’s owner; each time a session of its own, from an address of its own. */
  readonly owner: () => Promise<Api>
}

let opened: Promise<Stage> | undefined
let ownDist: string | undefined
/** The administrator, and when they signed in. */
let administrator: { readonly at: number; readonly api: Promise<Api> } | undefined
let people = 0
/** Where those sign in from who say it with no other request. */
const addresses = new WeakMap<BrowserContext, string>()
let owners = 0
/** A token is good for 15 minutes, and a whole run takes longer on a busy machine. */
const tokenMs = 5 * 60_000

/** The platform, the browser, and what a file’s tests do with both. */
export class Acts {
  readonly #contexts: BrowserContext[] = []
  readonly #faults: (() => readonly string[])[] = []
  #stage: Stage | undefined

  get stage(): Stage {
    return this.#stage ?? assert.fail('the stage is opened before the first test')
  }

  async open(): Promise<void> {
    this.#stage = await (opened ??= openStage())
  }

  /** The address of a page of the console. */
  at(route: string): string {
    return `${this.stage.host.url}/console${route}`
  }

  /** A browser of somebody’s own, with an address of its own, so that no limit for one address is everybody’s. */
  async person(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const address = nextAddress()
    const context = await this.stage.browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-US',
      extraHTTPHeaders: { 'x-forwarded-for': address },
      // After a click Chromium asks nobody; its shell without a window does.
      permissions: ['clipboard-write'],
      ...options,
    })
    addresses.set(context, address)
    this.#contexts.push(patient(context))
    return context
  }

  /** A browser in which somebody is signed in. */
  async signedIn(
    who: Credentials = { account: admin.email, password: admin.password },
    options?: BrowserContextOptions,
  ) {
    if (who.account === admin.email) await this.stage.staff()
    const context = await this.person(options)
    await this.signIn(context, who)
    return context
  }

  /** Signs somebody in without the page of it, from an address of their own. */
  async signIn(context: BrowserContext, who: Credentials): Promise<void> {
    const isTenant = who.tenant_code !== undefined
    const ask = () =>
      context.request.post(`${this.stage.host.url}${isTenant ? '' : '/admin'}/auth/login/json`, {
        data: { ...who, token_delivery: 'cookie', device_name: 'a test' },
        headers: { 'x-requested-with': 'console', 'x-forwarded-for': addresses.get(context) ?? nextAddress() },
      })
    let answer = await ask()
    // Until the platform takes the address that is said, all people of the tests have one, whose limit counts them together.
    while (answer.status() === 429) {
      await sleep(Number(answer.headers()['retry-after'] ?? 1) * 1_000)
      answer = await ask()
    }
    assert.equal(answer.status(), 200, await answer.text())
    const hint = JSON.stringify({ scope: isTenant ? 'tenant' : 'platform' })
    // Frames of plugins run it as well, and have no storage.
    await context.addInitScript(
      `self.origin === 'null' || (localStorage.getItem('stoa.hint') ?? localStorage.setItem('stoa.hint', '${hint}'))`,
    )
  }

  /** A tab whose faults fail the test; it shows this page, of the platform's host or of another one. */
  async tab(context: BrowserContext, route?: string, host = this.stage.host.url): Promise<Page> {
    const page = await context.newPage()
    const watched = watchPage(page, host)
    this.#faults.push(() => watched.faults)
    if (route !== undefined) await page.goto(`${host}/console${route}`)
    return page
  }

  /** What went wrong in any tab since the last call. */
  takeFaults(): readonly string[] {
    const faults = this.#faults.flatMap((read) => read())
    this.#faults.length = 0
    return faults
  }

  async close(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()))
  }
}

/** For one `describe`: the stage before its tests; after each no tab had a fault and every browser is closed. */
export function useActs(): Acts {
  const acts = new Acts()
  before(async function () {
    this.timeout(180_000)
    await acts.open()
  })
  afterEach(async () => {
    const faults = acts.takeFaults()
    await acts.close()
    assert.deepEqual(faults, [])
  })
  return acts
}

after(async function () {
  this.timeout(180_000)
  const stage = await opened?.catch(() => undefined)
  await stage?.browser.close()
  await stage?.host[Symbol.asyncDispose]()
  await stage?.lanes[Symbol.asyncDispose]()
  await stage?.s3[Symbol.asyncDispose]()
  if (ownDist !== undefined) await rm(ownDist, { recursive: true, force: true })
})

async function openStage(): Promise<Stage> {
  await bringUpToDate(consoleFolders)
  await takeOwnDist()
  const [lanes, s3] = await Promise.all([startLanes(), startS3Server()])
  const hosts = ['127.0.0.1', 'upstream.localhost'].map((name) => `${name}:${lanes.port}`)
  const allowed = [...hosts, `localhost:${s3.port}`, smtpAllowance]
  const env = { STOA_DEMO: '1', EGRESS_ALLOW_PRIVATE: allowed.join(',') }
  const [host, browser] = await Promise.all([startTestKernel({ plugins: corePlugins, env }), startChromium()])
  const firstRun = JSON.parse(await readFile(path.join(host.dataDir, 'first-run.json'), 'utf8')) as FirstRun
  const staff = () => {
    if (!administrator || Date.now() - administrator.at > tokenMs)
      administrator = { at: Date.now(), api: signInStaff(host, firstRun, administrator !== undefined) }
    return administrator.api
  }
  const owner = async () => {
    // From then on the platform takes the address that is said.
    await staff()
    return signInOwner(host, firstRun)
  }
  return { host, browser, firstRun, lanes, s3, staff, owner }
}

/** A copy of what was built, of this process alone: a test takes files of it away. */
async function takeOwnDist(): Promise<void> {
  ownDist = await mkdtemp(path.join(tmpdir(), 'stoa-dist-'))
  await cp(consoleFolders.dist, ownDist, { recursive: true })
  Object.assign(consoleFolders, { dist: ownDist })
}

function nextAddress(): string {
  people += 1
  return `198.18.${Math.floor(people / 256)}.${people % 256}`
}

async function signInOwner({ api }: TestKernel, { demo }: FirstRun): Promise<Api> {
  const { tenant_code, account, password } = demo
  owners += 1
  // Sign-ins of one address are counted together.
  const headers = { 'x-forwarded-for': `198.19.${Math.floor(owners / 256)}.${owners % 256}` }
  return api.as(
    dataOf(await api.post('/auth/login/json', { tenant_code, account, password }, { headers }))['access_token'],
  )
}

async function signInStaff(host: TestKernel, firstRun: FirstRun, isAgain: boolean): Promise<Api> {
  const signIn = async () => host.api.as(dataOf(await host.api.post('/admin/auth/login/json', admin))['access_token'])
  if (isAgain) return signIn()
  // Done already where the test of the first run came first.
  await host.api.post('/api/public/setup', { token: firstRun.setup_token, ...admin })
  const by = await signIn()
  dataOf(await by.put('/admin/configs/groups/platform_domain', { trusted_proxies: ['127.0.0.1'] }))
  dataOf(await by.put('/admin/configs/groups/platform_security', { session_max_devices: 0 }))
  return by
}

/** The owner of the demo tenant. */
export function demoOwner({ firstRun }: Stage): Credentials {
  const { tenant_code, account, password } = firstRun.demo
  return { tenant_code, account, password }
}
