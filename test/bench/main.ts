import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Api } from '../support/api.ts'
import { freePort, startHostProcess } from '../support/host-process.ts'
import { packSources } from '../support/packages.ts'
import { latencies, median, requestsPerSecond, type Shot } from './load.ts'
import { descendants, memoryOf } from '../support/processes.ts'

const rounds = 3
const seconds = 4
const admin = { email: 'bench@stoa.test', password: 'a bench of long words' }
const manifest = (name: string): object => ({
  manifestVersion: 1,
  name,
  version: '1.0.0',
  publisher: 'bench',
  title: { default: name },
  description: { default: 'Echoes a text' },
  license: 'Apache-2.0',
  engines: { host: '*', sdk: '^1.0.0' },
  main: 'dist/index.js',
  scope: 'tenant',
  capabilities: [],
  permissions: [{ code: 'echo', title: { default: 'Echo a text' } }],
  tenant_routes: [{ method: 'POST', path: '/echo', handler: 'echo', permission: 'echo' }],
})
const module = `export default { handlers: { echo({ body }) { return { echoed: body.text, length: body.text.length } } } }`

const dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-bench-'))
try {
  await measureStart()
  await measureRoutes()
} finally {
  await rm(dataDir, { recursive: true, force: true })
}

function print(name: string, value: string, aim: string): void {
  console.log(`${name.padEnd(64)} ${value.padStart(14)}   ${aim}`)
}

/** Start to first 200, on an empty data folder and again on the same one. */
async function measureStart(): Promise<void> {
  for (const [name, aim] of [
    ['empty data folder', 'aim ≤ 6 s'],
    ['warm', 'aim ≤ 2 s'],
  ] as const) {
    const started = performance.now()
    const host = await startHostProcess({ dataDir: path.join(dataDir, 'start') })
    print(`start to first 200, ${name}`, `${((performance.now() - started) / 1000).toFixed(2)} s`, aim)
    await host.stop()
  }
}

/** The sandboxed route, the same handler without a sandbox, and bare Koa, in turns. */
async function measureRoutes(): Promise<void> {
  const [port, floorPort] = [await freePort(), await freePort()]
  const host = program('host.ts', port, {
    DATA_DIR: path.join(dataDir, 'routes'),
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  })
  const floor = program('bare-koa.ts', floorPort, {})
  try {
    const api = new Api(`http://127.0.0.1:${port}`)
    await until(() => api.get('/api/public/health').then(({ status }) => status === 200))
    const { adminApi, token } = await prepare(api)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ text: 'a text of some length, as a form field has' })
    const shots: Record<'sandboxed' | 'direct' | 'bare', Shot> = {
      sandboxed: { url: `${api.url}/tenant/plugins/bench.echo/api/echo`, method: 'POST', headers, body },
      direct: { url: `${api.url}/tenant/bench/echo`, method: 'POST', headers, body },
      bare: { url: `http://127.0.0.1:${floorPort}/`, method: 'POST', headers, body },
    }
    await compareThroughput(shots)
    await compareLatency(shots)
    await measureIdlePlugins(adminApi, host.pid ?? 0)
  } finally {
    for (const child of [host, floor]) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  }
}

async function compareThroughput(shots: Record<'sandboxed' | 'direct' | 'bare', Shot>): Promise<void> {
  const figures = { sandboxed: [] as number[], direct: [] as number[], bare: [] as number[] }
  for (const shot of Object.values(shots)) await requestsPerSecond(shot, 32, 2)
  for (let round = 0; round < rounds; round++) {
    for (const name of ['sandboxed', 'direct', 'bare'] as const) {
      figures[name].push(await requestsPerSecond(shots[name], 32, seconds))
    }
  }
  const [sandboxed, direct, bare] = [median(figures.sandboxed), median(figures.direct), median(figures.bare)]
  print('bare Koa, 32 connections', `${Math.round(bare)}/s`, 'the floor')
  print('sandboxed tenant route / bare Koa', (sandboxed / bare).toFixed(2), 'aim ≥ 0.35')
  print('sandboxed tenant route / the same handler without a sandbox', (sandboxed / direct).toFixed(2), '')
  print('handler without a sandbox / bare Koa', (direct / bare).toFixed(2), '')
}

async function compareLatency(shots: Record<'sandboxed' | 'direct' | 'bare', Shot>): Promise<void> {
  const added: number[] = []
  for (let round = 0; round < rounds; round++) {
    const sandboxed = median(await latencies(shots.sandboxed, 1500))
    const direct = median(await latencies(shots.direct, 1500))
    added.push(sandboxed - direct)
  }
  print('p50 added by the sandbox, 1 connection', `${median(added).toFixed(3)} ms`, 'aim ≤ 0.3 ms')
}

async function measureIdlePlugins(admin: Api, pid: number): Promise<void> {
  const count = 100
  const [before, processes] = [memoryOf(pid), descendants(pid).length]
  for (let index = 0; index < count; index++) await install(admin, `bench.idle${index}`)
  print(
    `memory of an idle plugin (${count} enabled)`,
    `${((memoryOf(pid) - before) / count).toFixed(2)} MB`,
    'aim ≤ 3 MB',
  )
  print('processes added by them', String(descendants(pid).length - processes), 'not one each')
}

/** The admin, and the demo tenant's owner with the plugin enabled. */
async function prepare(api: Api): Promise<{ adminApi: Api; token: string }> {
  // The host answers before its first run has made the administrator.
  await until(async () => (await api.post('/admin/auth/login/json', admin)).status === 200)
  const adminApi = await signIn(api, '/admin/auth/login/json', admin)
  const owner = { email: 'owner@bench.test', password: 'an owner of long words' }
  const tenant = await expect(201, adminApi.post('/admin/tenants', { code: 'bench', name: 'Bench', owner }))
  await install(adminApi, 'bench.echo')
  await expect(200, adminApi.post('/admin/plugins/bench.echo/tenants', { tenant_ids: [tenant['id']] }))
  const ownerApi = await signIn(api, '/auth/login/json', { ...owner, tenant_code: 'bench' })
  await expect(200, ownerApi.post('/tenant/plugins/bench.echo/enable'))
  return { adminApi, token: ownerApi.token ?? '' }
}

async function install(admin: Api, name: string): Promise<void> {
  const content = await packSources(manifest(name), module)
  await expect(
    201,
    admin.call('POST', '/admin/plugins/upload', { file: { field: 'file', name: `${name}.zip`, content } }),
  )
  await expect(200, admin.post(`/admin/plugins/${name}/enable`))
}

async function signIn(api: Api, path: string, credentials: object): Promise<Api> {
  const { access_token: token } = await expect(200, api.post(path, credentials))
  return api.as(token)
}

async function expect(status: number, call: ReturnType<Api['get']>): Promise<Readonly<Record<string, unknown>>> {
  const answer = await call
  if (answer.status !== status)
    throw new Error(`expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body['data'] as unknown as Record<string, unknown>
}

function program(file: string, port: number, env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [path.join(import.meta.dirname, file)], {
    env: { PATH: process.env['PATH'] ?? '', PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000
  while (Date.now() < deadline) {
    if (await condition().catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the program did not start')
}
