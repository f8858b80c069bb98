// @both-back-ends
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request as nodeRequest } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { childEnv } from '../../support/child-env.ts'
import { Api } from '../../support/api.ts'
import { readFirstRun, setUp } from '../../support/first-run.ts'
import { freePort } from '../../support/free-port.ts'
import { checkout, startHostProcess } from '../../support/host-process.ts'
import { installNeighbour } from '../../support/hostile-platform.ts'
import { startBackEnd, startOperatorBackEnd, type BackEnd } from '../../support/back-end.ts'
import { descendants, isAlive } from '../../support/processes.ts'
import { until } from '../../support/until.ts'
import { wasNotAccepted } from '../../support/was-not-accepted.ts'

describe('the process', () => {
  let dataDir: string
  let backEnd: BackEnd
  let operators: BackEnd

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-process-'))
    backEnd = await startBackEnd()
    operators = await startOperatorBackEnd()
  })
  afterEach(async () => {
    await operators[Symbol.asyncDispose]()
    await backEnd[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('tells its secrets on the first start only, leaves no process behind, and keeps what it answered over kill -9', async () => {
    const port = await freePort()
    const start = () => startHostProcess({ dataDir, env: operators.env, port })
    const first = await start()
    const facts = await readFirstRun(dataDir)
    const secrets = [facts.setup_token, facts.demo.password]
    await until(() => secrets.every((secret) => first.output().includes(secret)))
    const children = descendants(first.pid)
    assert.equal(await first.stop(), 0)
    assert.deepEqual(children.filter(isAlive), [])

    const second = await start()
    assert.deepEqual(
      secrets.map((secret) => second.output().includes(secret)),
      [false, false],
    )
    const { admin } = await setUp(second, dataDir)
    assert.equal(existsSync(path.join(dataDir, 'first-run.json')), false)
    const owner = { email: 'owner@acme.test', password: 'a long enough passphrase' }
    await admin.post('/admin/tenants', { code: 'acme', name: 'Acme', owner })
    await second.kill()

    await using third = await start()
    const list = await admin.at(third.url).get('/admin/tenants?sort=code')
    assert.equal(list.status, 200, JSON.stringify(list.body))
    assert.deepEqual(
      (list.body['data']?.['items'] as unknown as { code: string }[]).map(({ code }) => code),
      ['acme', 'demo'],
    )
    await installNeighbour(admin.at(third.url))
    const running = descendants(third.pid)
    assert.ok(running.length > 0)
    assert.equal(await third.stop(), 0)
    assert.deepEqual(running.filter(isAlive), [])
  })

  it('finishes every request in flight when it is told to stop', async () => {
    await using host = await startHostProcess({ dataDir, env: backEnd.env })
    const { admin } = await setUp(host, dataDir)
    const agent = new Agent({ keepAlive: true, maxSockets: 32 })
    const counts = { answered: 0, cut: [] as string[] }
    let isStopping = false
    const callers = Array.from({ length: 32 }, async () => {
      while (!isStopping || counts.answered === 0) {
        const outcome = await getOnce(`${host.url}/admin/auth/me`, String(admin.token), agent)
        if (outcome === 'refused') return
        if (outcome === 'answered') counts.answered++
        else counts.cut.push(outcome)
        if (counts.cut.length > 0) return
      }
    })
    while (counts.answered < 200) await new Promise((resolve) => setImmediate(resolve))
    const stopped = host.stop().then((code) => {
      isStopping = true
      return code
    })
    await Promise.all(callers)
    agent.destroy()
    assert.deepEqual({ code: await stopped, cut: counts.cut }, { code: 0, cut: [] })
  })

  it('ends with npm start, which hands its signal on', async () => {
    const port = await freePort()
    const env = { ...process.env, ...backEnd.env, PORT: String(port), DATA_DIR: dataDir, STOA_DEMO: '0' }
    const npm = spawn('npm', ['start'], { cwd: checkout, env, stdio: 'ignore' })
    const api = new Api(`http://127.0.0.1:${port}`)
    await until(async () => (await api.get('/api/public/health').catch(() => undefined))?.status === 200)
    const children = descendants(npm.pid ?? 0)
    npm.kill('SIGTERM')
    await once(npm, 'exit')
    await until(() => !children.some(isAlive), 15_000)
  })

  it('gives a new set-up link beside a host and without one, and leaves nothing running', async () => {
    const run = promisify(execFile)
    const env = { ...childEnv, DATA_DIR: dataDir, ...backEnd.env }
    const link = async () => {
      const { stdout } = await run(process.execPath, [path.join(checkout, 'core-plugins', 'setup-link.ts')], { env })
      return /#token=([\w-]+)/.exec(stdout)?.[1]
    }
    const alone = await link()
    await using host = await startHostProcess({ dataDir, env: { ...backEnd.env, STOA_DEMO: '0' } })
    const before = descendants(host.pid)
    const beside = await link()
    const api = new Api(host.url)
    const credentials = { email: 'admin@stoa.test', password: 'a long enough passphrase' }
    const answers = [
      await api.post('/api/public/setup', { token: alone, ...credentials }),
      await api.post('/api/public/setup', { token: beside, ...credentials }),
    ]
    assert.deepEqual(
      [answers.map(({ status }) => status), await link(), descendants(host.pid)],
      [[401, 201], undefined, before],
    )
  })

  it('refuses a second host that has no Redis to share', async () => {
    const withoutRedis = Object.fromEntries(Object.entries(backEnd.env).filter(([name]) => name !== 'REDIS_URL'))
    await using host = await startHostProcess({ dataDir, env: withoutRedis })
    assert.ok(host.pid > 0)
    await assert.rejects(startHostProcess({ dataDir, env: withoutRedis }), /several hosts need Redis/)
  })
})

function getOnce(url: string, token: string, agent: Agent): Promise<'answered' | 'refused' | (string & {})> {
  return new Promise((resolve) => {
    const request = nodeRequest(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume()
      void once(response, 'close').then(() => {
        if (response.complete && response.statusCode === 200) resolve('answered')
        else resolve(`status ${response.statusCode}, complete ${response.complete}`)
      })
    })
    request.on('error', (error: NodeJS.ErrnoException) =>
      resolve(wasNotAccepted(error, request) ? 'refused' : String(error.code)),
    )
    request.end()
  })
}
