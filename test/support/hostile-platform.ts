import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Answer, Api, Body } from './api.ts'
import { startBackEnd } from './back-end.ts'
import { startFakeDns } from './fake-dns.ts'
import { setUp } from './first-run.ts'
import { startHostProcess, type HostProcess } from './host-process.ts'
import { packFixture } from './packages.ts'
import { until } from './until.ts'

/** Somebody who is signed in to a tenant as its owner. */
export interface Owner {
  readonly api: Api
  readonly tenantId: number
}

/** A whole host with an attacker and a neighbour in two tenants, and the attacker's twin, `evil.twin`, in one. */
export interface HostilePlatform extends AsyncDisposable {
  readonly host: HostProcess
  readonly dataDir: string
  readonly admin: Api
  readonly demo: Owner
  readonly other: Owner
  /** A server on loopback: reachable as `upstream.localhost`, which the operator allowed, and by no other name. */
  readonly upstreamPort: number
  /** Requests that came to it. */
  readonly reached: readonly string[]
}

/** Names under which a guest asks for private addresses. */
const dnsNames: Readonly<Record<string, readonly string[]>> = {
  'loopback.example.com': ['127.0.0.1'],
  'loopback6.example.com': ['0:0:0:0:0:0:0:1'],
  'mapped.example.com': ['0:0:0:0:0:ffff:7f00:1'],
  'metadata.example.com': ['169.254.169.254'],
  'private.example.com': ['10.0.0.1'],
  'mixed.example.com': ['93.184.215.14', '127.0.0.1'],
}

/** Starts it; disposing it stops everything. */
export async function startHostilePlatform(): Promise<HostilePlatform> {
  await using started = new AsyncDisposableStack()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-hostile-'))
  started.defer(() => rm(dataDir, { recursive: true, force: true }))
  const backEnd = started.use(await startBackEnd())
  const dns = started.use(await startFakeDns((name) => dnsNames[name] ?? []))
  const reached: string[] = []
  const server = createServer((request, response) => answer(request, response, reached)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  started.defer(() => void server.close())
  const upstreamPort = (server.address() as AddressInfo).port
  const host = started.use(
    await startHostProcess({
      dataDir,
      env: {
        ...backEnd.env,
        DNS_SERVERS: dns.address,
        EGRESS_ALLOW_PRIVATE: `upstream.localhost:${upstreamPort}`,
      },
    }),
  )
  const { admin, firstRun } = await setUp(host, dataDir)
  // It is installed in the background, and would come between what tests compare.
  await until(async () => (await listPlugins(admin)).some(({ status }) => status === 'enabled'), 60_000)
  const demo = await signIn(admin, { ...firstRun.demo })
  const other = await createOwner(admin, 'other')
  const ports = [80, 443, upstreamPort, Number(new URL(host.url).port)]
  const hosts = [{ host: '*', ports, methods: ['GET', 'POST'], reason: 'Everything.' }]
  const owners = [demo, other]
  const attacker = await packFixture('attacker', (manifest) => ({ ...manifest, http: { hosts } }))
  await installPlugin(admin, 'evil.attacker', attacker, owners)
  const events = { publish: ['evil.twin.thing.done'], subscribe: ['good.neighbour.*'] }
  const twin = await packFixture('attacker', (manifest) => ({ ...manifest, name: 'evil.twin', events }))
  await installPlugin(admin, 'evil.twin', twin, [demo])
  await installPlugin(admin, 'good.neighbour', await packFixture('neighbour'), owners)
  const stack = started.move()
  return {
    ...{ host, dataDir, admin, demo, other, upstreamPort, reached },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** The plugins that are installed. */
export async function listPlugins(admin: Api): Promise<readonly { name: string; status: string }[]> {
  return dataOf(await admin.get('/admin/plugins'))['items'] as unknown as { name: string; status: string }[]
}

/** Uploads a package, grants all it asks for, enables it and gives it to tenants. */
export async function installPlugin(
  admin: Api,
  name: string,
  content: Buffer,
  owners: readonly Owner[],
): Promise<void> {
  const uploaded = dataOf(await uploadPackage(admin, content), 201)
  const { release_hash, diff_hash } = (uploaded['consent'] ?? {}) as unknown as Record<string, string>
  if (release_hash !== undefined) {
    dataOf(await admin.post(`/admin/plugins/${name}/consent`, { accept: true, release_hash, diff_hash }))
  }
  dataOf(await admin.post(`/admin/plugins/${name}/enable`))
  dataOf(await admin.post(`/admin/plugins/${name}/tenants`, { tenant_ids: owners.map(({ tenantId }) => tenantId) }))
  for (const { api } of owners) dataOf(await api.post(`/tenant/plugins/${name}/enable`))
}

/** Gives a tenant of its own a plugin that does no harm, so that sandbox hosts run. */
export async function installNeighbour(admin: Api): Promise<void> {
  await installPlugin(admin, 'good.neighbour', await packFixture('neighbour'), [await createOwner(admin, 'other')])
}

/** Sends a package as an administrator's console would. */
export function uploadPackage(admin: Api, content: Buffer): Promise<Answer> {
  const file = { field: 'file', name: 'plugin.zip', content }
  return admin.call('POST', '/admin/plugins/upload', { file })
}

/** Gives a plugin whose breaker may be open a fresh start, as an administrator would. */
export async function restartPlugin({ admin }: HostilePlatform, name = 'evil.attacker'): Promise<void> {
  dataOf(await admin.post(`/admin/plugins/${name}/disable`))
  dataOf(await admin.post(`/admin/plugins/${name}/enable`))
}

/** The data of an answer that must have this status. */
export function dataOf(answer: Answer, status = 200): Body {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  return answer.body['data'] as Body
}

/** Everything an answer may never hold: places, statements, secrets of the platform and of others. */
export async function forbiddenTexts(dataDir: string): Promise<readonly string[]> {
  const secrets = JSON.parse(await readFile(path.join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>
  const places = [dataDir, 'node_modules', 'file://', '.ts:', 'isolated-vm', 'postgres', 'plg_', 'pg_catalog']
  return [...places, 'neighbour-secret', ...Object.values(secrets).map((secret) => secret.replace(/^[^:]*:/, ''))]
}

async function createOwner(admin: Api, code: string): Promise<Owner> {
  const owner = { email: `owner@${code}.test`, password: 'a long enough passphrase' }
  dataOf(await admin.post('/admin/tenants', { code, name: code, owner }), 201)
  return signIn(admin, { tenant_code: code, account: owner.email, password: owner.password })
}

async function signIn(api: Api, credentials: object): Promise<Owner> {
  const tokens = dataOf(await api.post('/auth/login/json', credentials))
  return { api: api.as(tokens['access_token']), tenantId: Number(tokens['tenant']?.['id']) }
}

/** `/redirect?to=` sends elsewhere; everything else says what it was asked. */
function answer({ url = '', headers }: IncomingMessage, response: ServerResponse, reached: string[]): void {
  reached.push(url)
  const to = new URL(url, 'http://localhost').searchParams.get('to')
  if (to !== null) response.writeHead(302, { location: to }).end()
  else response.end(JSON.stringify({ url, headers }))
}
