import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import path from 'node:path'
import { childEnv } from '../support/child-env.ts'
import { Api } from '../support/api.ts'
import { startOperatorBackEnd } from '../support/back-end.ts'
import { freePort } from '../support/free-port.ts'
import { packSources } from '../support/packages.ts'

const admin = { email: 'bench@stoa.test', password: 'a bench of long words' }
const tenantCode = 'bench'
const owner = { email: 'owner@bench.test', password: 'an owner of long words' }

/** A host in a process of its own, with a tenant. */
export interface BenchPlatform extends AsyncDisposable {
  readonly pid: number
  /** A port of loopback that the host may read an index from. */
  readonly indexPort: number
  /** One at which it may call models. */
  readonly vendorPort: number
  readonly tenantCode: string
  readonly admin: Api
  readonly owner: Api
  /** Starts a program of this folder that serves requests, with the host's token keys, until the platform is disposed. */
  serve(file: string, env?: Readonly<Record<string, string>>): Promise<string>
  /** The same, with the process it runs in. */
  serveProcess(file: string): Promise<{ readonly url: string; readonly pid: number }>
}

/** Starts a host on a data folder, and on the test server where there is one, and makes its administrator and a tenant. */
export async function startBenchPlatform(dataDir: string): Promise<BenchPlatform> {
  const keys = { JWT_KEYS: `bench:${randomBytes(32).toString('base64url')}` }
  await using programs = new AsyncDisposableStack()
  const backEnd = programs.use(await startOperatorBackEnd())
  const start = async (file: string, env: Readonly<Record<string, string>>): Promise<Program> => {
    const started = await startProgram(file, env)
    programs.defer(() => stop(started.child))
    return started
  }
  const [indexPort, vendorPort] = [await freePort(), await freePort()]
  const host = await start('host.ts', {
    ...keys,
    EGRESS_ALLOW_PRIVATE: `127.0.0.1:${indexPort},127.0.0.1:${vendorPort}`,
    ...backEnd.env,
    DATA_DIR: dataDir,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  })
  const api = new Api(host.url)
  // The host answers before its first run has made the administrator.
  await until(async () => (await api.post('/admin/auth/login/json', admin)).status === 200)
  const adminApi = await signIn(api, '/admin/auth/login/json', admin)
  await expect(201, adminApi.post('/admin/tenants', { code: tenantCode, name: 'Bench', owner }))
  const ownerApi = await signIn(api, '/auth/login/json', { ...owner, tenant_code: tenantCode })
  const running = programs.move()
  return {
    pid: host.child.pid ?? 0,
    indexPort,
    vendorPort,
    tenantCode,
    admin: adminApi,
    owner: ownerApi,
    serve: async (file, env = {}) => {
      const started = await startProgram(file, { ...keys, ...env })
      running.defer(() => stop(started.child))
      return started.url
    },
    serveProcess: async (file) => {
      const { url, child } = await startProgram(file, keys)
      running.defer(() => stop(child))
      return { url, pid: child.pid ?? 0 }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Signs in and answers the caller. */
export async function signIn(api: Api, path: string, credentials: object): Promise<Api> {
  const { access_token: token } = await expect(200, api.post(path, credentials))
  return api.as(token)
}

/** The data of an answer that must have this status. */
export async function expect(status: number, call: ReturnType<Api['get']>): Promise<Readonly<Record<string, unknown>>> {
  const answer = await call
  if (answer.status !== status)
    throw new Error(`expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body['data'] as unknown as Record<string, unknown>
}

/** Installs a plugin that echoes a text, and enables it. */
export async function installEcho(admin: Api, name: string): Promise<void> {
  const content = await packSources(manifest(name), module)
  const file = { field: 'file', name: `${name}.zip`, content }
  await expect(201, admin.call('POST', '/admin/plugins/upload', { file }))
  await expect(200, admin.post(`/admin/plugins/${name}/enable`))
}

const module = `export default { handlers: { echo({ body }) { return { echoed: body.text, length: body.text.length } } } }`

function manifest(name: string): object {
  return {
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
  }
}

interface Program {
  readonly url: string
  readonly child: ChildProcess
}

async function startProgram(file: string, env: Readonly<Record<string, string>>): Promise<Program> {
  const port = await freePort()
  const child = spawn(process.execPath, [path.join(import.meta.dirname, file)], {
    env: { ...childEnv, PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  await until(() => listens(port))
  return { url, child }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } finally {
    socket.destroy()
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 120_000
  while (Date.now() < deadline) {
    if (await condition().catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the program did not start')
}
