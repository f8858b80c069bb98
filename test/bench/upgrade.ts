import { readFile } from 'node:fs/promises'
import { TestIndex } from '../core-plugins/plugin-index/world.ts'
import type { Api } from '../support/api.ts'
import { expect, type BenchPlatform } from './bench-platform.ts'
import { timed } from './install.ts'
import type { Shot } from './load.ts'
import { print } from './print.ts'
import { realisticRelease } from './realistic-package.ts'
import { percentile } from './sandbox-calls.ts'
import { loadDuring, type Pace, type SteadyLoad } from './steady-load.ts'

const connections = 32
const upgrades = 10
const quietSeconds = 10
/** What two busy cores carry without a queue. */
const perSecond = 100
const paces: Readonly<Record<string, Pace>> = {
  [`${perSecond} requests a second`]: { perSecond: perSecond },
  'as many requests as are answered': 'closed',
}

/** Upgrades with a migration each, while 32 connections call the plugin: what fails, and what they wait beside a quiet time. */
export async function measureUpgrade(platform: BenchPlatform): Promise<void> {
  await using index = await TestIndex.create()
  let number = 0
  for (const [title, pace] of Object.entries(paces))
    await measure(platform, index, `acme.moving${number++}`, title, pace)
}

async function measure(
  platform: BenchPlatform,
  index: TestIndex,
  name: string,
  title: string,
  pace: Pace,
): Promise<void> {
  const { admin, owner } = platform
  const zips: Buffer[] = []
  // Signed by nobody: this site trusts what its administrator uploads.
  for (let minor = 0; minor <= upgrades; minor++) {
    const zip = await index.pack(name, { ...realisticRelease(`1.${minor}.0`), key: null })
    zips.push(await readFile(zip))
  }
  const [first = Buffer.alloc(0), ...rest] = zips
  await installFor(admin, owner, name, first)
  const headers = { authorization: `Bearer ${owner.token ?? ''}`, 'content-type': 'application/json' }
  const url = `${admin.url}/tenant/plugins/${name}/api/echo`
  const shots: Shot[] = [{ url, method: 'POST', headers, body: JSON.stringify({ text: 'a text as a form field has' }) }]
  const load = (work: () => Promise<void>): Promise<SteadyLoad> =>
    loadDuring(shots, { connections: connections, pace }, work)
  await load(() => pause(2))
  const quiet = await load(() => pause(quietSeconds))
  const times: number[] = []
  const during = await load(async () => {
    for (const zip of rest) times.push(await timed(() => upgrade(admin, name, zip)))
  })
  const ratio = (of: 'p50' | 'p99' | 'longest') => `${(during[of] / quiet[of]).toFixed(1)} times`
  print(`${title}: failed of ${during.count} during ${upgrades} upgrades`, String(during.failed), 'aim 0')
  if (during.fault !== undefined) print('  the first of them', during.fault, '')
  print('  p99 during / p99 quiet', ratio('p99'), `${during.p99.toFixed(1)} / ${quiet.p99.toFixed(1)} ms, aim ≤ 3`)
  print('  p50 during / p50 quiet', ratio('p50'), `${during.p50.toFixed(1)} / ${quiet.p50.toFixed(1)} ms`)
  print('  the longest during', `${during.longest.toFixed(0)} ms`, `quiet ${quiet.longest.toFixed(0)} ms`)
  print('  an upgrade, p50', `${percentile(times, 0.5).toFixed(0)} ms`, `longest ${percentile(times, 1).toFixed(0)} ms`)
}

async function installFor(admin: Api, owner: Api, name: string, zip: Buffer): Promise<void> {
  const path = `/admin/plugins/${name}`
  const { consent } = await send(admin, '/admin/plugins/upload', zip, 201)
  const { release_hash, diff_hash } = consent as Record<string, unknown>
  await expect(200, admin.post(`${path}/consent`, { accept: true, release_hash, diff_hash }))
  await expect(200, admin.post(`${path}/enable`))
  const { tenant_id: tenantId } = await expect(200, owner.get('/bench/who'))
  await expect(200, admin.post(`${path}/tenants`, { tenant_ids: [tenantId] }))
  await expect(200, owner.post(`/tenant/plugins/${name}/enable`))
}

/** An upgrade that takes long is answered before it has ended. */
async function upgrade(admin: Api, name: string, content: Buffer): Promise<void> {
  const plugin = `/admin/plugins/${name}`
  const file = { field: 'file', name: 'a.plugin.zip', content }
  const { status, body } = await admin.call('POST', `${plugin}/upgrade`, { file })
  if (status === 200) return
  if (status !== 202) throw new Error(`an upgrade was answered ${status}: ${JSON.stringify(body)}`)
  const { operation_id: id } = body['data'] as unknown as { readonly operation_id: string }
  const operation = `${plugin}/operations/${id}`
  for (;;) {
    const { state } = await expect(200, admin.get(operation))
    if (state === 'succeeded') return
    if (state !== 'running') throw new Error(`an upgrade ended as ${String(state)}`)
    await pause(0.1)
  }
}

function send(admin: Api, path: string, content: Buffer, status: number) {
  const file = { field: 'file', name: 'a.plugin.zip', content }
  return expect(status, admin.call('POST', path, { file }))
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
}
