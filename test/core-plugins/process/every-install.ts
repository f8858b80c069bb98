import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { request } from 'undici'
import { freePort } from '../../support/free-port.ts'
import { checkout } from '../../support/host-process.ts'
import { until } from '../../support/until.ts'

const run = promisify(execFile)
const patienceMs = 10 * 60_000
/** Nothing of the run that this is part of, whose npm has its own Node first on the path. */
const plainEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_)|STOA_|NODE_COMPILE_CACHE|MOCHA_)/i.test(name)),
)
const pathOfMachine = (process.env['PATH'] ?? '')
  .split(path.delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(path.delimiter)
const onMachine = { ...plainEnv, PATH: pathOfMachine }
// This release of npm refuses Node 20, which is what it says itself.
const onOurNode = { ...plainEnv, PATH: [path.dirname(process.execPath), pathOfMachine].join(path.delimiter) }

/** What a start did, in milliseconds from its command. */
interface Start {
  readonly healthyMs: number
  /** Status of the console at the first answer of the platform. */
  readonly consoleAtFirst: number
  /** When the console was there. */
  readonly consoleMs: number
}

describe('what a newcomer types', function () {
  this.timeout(2 * patienceMs)
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'stoa-newcomer-'))
    await run('git', ['clone', '--quiet', checkout, folder])
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  for (const [npm, env] of [
    ['10', onMachine],
    ['11', onMachine],
    ['12', onOurNode],
  ] as const) {
    it(`1: npm ci && npm start of npm ${npm} serve the console at once, and leave no trace in the checkout`, async () => {
      await install(npm, env)
      const { consoleAtFirst } = await start(env)
      assert.equal(consoleAtFirst, 200)
      assert.equal((await run('git', ['status', '--porcelain'], { cwd: folder })).stdout, '')
    })
  }

  it('2: without the packages of developers it serves the console too', async () => {
    await install('11', onMachine, '--omit=dev')
    await assert.rejects(access(path.join(folder, 'node_modules/mocha')))
    assert.equal((await start(onMachine)).consoleAtFirst, 200)
  })

  it('3, 5: without scripts, and after a source has changed, the platform runs and the console comes by itself', async () => {
    await install('11', onMachine, '--ignore-scripts')
    const first = await start(onMachine)
    assert.equal(first.consoleAtFirst, 503)
    say('without scripts', first)
    const before = await buildOf()
    await writeFile(path.join(folder, 'core-plugins/console/web/new-text.ts'), 'export const text = 1\n')
    await start(onMachine, async () => (await buildOf()) !== before)
  })

  it('4: the first start and the second take what is said here', async () => {
    await install('11', onMachine)
    say('the first start', await start(onMachine))
    say('the second', await start(onMachine))
  })

  async function install(npm: string, env: NodeJS.ProcessEnv, ...options: readonly string[]): Promise<void> {
    await run('npx', ['--yes', `npm@${npm}`, 'ci', ...options], { cwd: folder, env, timeout: patienceMs })
  }

  async function buildOf(): Promise<string | undefined> {
    const text = await readFile(path.join(folder, 'core-plugins/console/dist/build.json'), 'utf8').catch(() => '{}')
    return (JSON.parse(text) as { build?: string }).build
  }

  /** Starts it, waits for the console and for what is wanted beside, and stops it. */
  async function start(env: NodeJS.ProcessEnv, isThere = () => Promise.resolve(true)): Promise<Start> {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const from = performance.now()
    const child = spawn('npm', ['start'], {
      cwd: folder,
      env: { ...env, PORT: String(port), DATA_DIR: path.join(folder, '.data') },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    }
    const ended = once(child, 'exit')
    const statusOf = async (at: string) => {
      if (child.exitCode !== null) throw new Error(`it ended: ${output}`)
      const answer = await request(`${url}${at}`).catch(() => undefined)
      await answer?.body.dump()
      return answer?.statusCode
    }
    try {
      await until(async () => (await statusOf('/api/public/health')) === 200, patienceMs)
      const healthyMs = performance.now() - from
      const consoleAtFirst = (await statusOf('/console/')) ?? 0
      await until(async () => (await statusOf('/console/')) === 200 && (await isThere()), patienceMs)
      const consoleMs = performance.now() - from
      // What to open is said once all of it is there.
      await until(() => /^Stoa answers at http:\/\/localhost:\d+\/console\/ /m.test(output), patienceMs)
      return { healthyMs, consoleAtFirst, consoleMs }
    } finally {
      child.kill('SIGTERM')
      await ended
    }
  }

  function say(what: string, { healthyMs, consoleMs }: Start): void {
    const [healthy, shown] = [healthyMs, consoleMs].map((ms) => (ms / 1_000).toFixed(1))
    console.log(`      ${what}: healthy after ${healthy} s, the console there after ${shown} s`)
  }
})
