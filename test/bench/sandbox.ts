import { descendants, memoryOf } from '../support/processes.ts'
import type { Api } from '../support/api.ts'
import { expect, installEcho, signIn, type BenchPlatform } from './bench-platform.ts'
import { latencies, median, type Shot } from './load.ts'
import { print } from './print.ts'
import { load, type Load } from './sandbox-load.ts'

const rounds = 3
/** A tenant may have 36 calls of a plugin under way and waiting: 128 connections are not one tenant's. */
const tenants = 4
const connections = [1, 32, 128] as const
const names = ['sandboxed', 'direct', 'bare'] as const

type Name = (typeof names)[number]
type Shots = Readonly<Record<Name, readonly Shot[]>>

/** The sandboxed route, the same handler without a sandbox, and bare Koa, in turns, at 1, 32 and 128 connections. */
export async function measureSandbox(platform: BenchPlatform): Promise<void> {
  const { admin } = platform
  await installEcho(admin, 'bench.echo')
  const owners = [platform.owner]
  while (owners.length < tenants) owners.push(await createOwner(admin, `bench-${owners.length}`))
  for (const owner of owners) await assignEcho(admin, owner)
  const floor = await platform.serve('bare-koa.ts')
  const body = JSON.stringify({ text: 'a text of some length, as a form field has' })
  const shotsTo = (url: string): readonly Shot[] =>
    owners.map(({ token = '' }) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      return { url, method: 'POST', headers, body }
    })
  const shots: Shots = {
    sandboxed: shotsTo(`${admin.url}/tenant/plugins/bench.echo/api/echo`),
    direct: shotsTo(`${admin.url}/tenant/bench/echo`),
    bare: shotsTo(floor),
  }
  for (const name of names) await load(shots[name], 32, 2)
  for (const count of connections) await compare(shots, count)
  await compareLatency(shots)
}

async function createOwner(admin: Api, code: string): Promise<Api> {
  const owner = { email: `owner@${code}.test`, password: 'an owner of long words' }
  await expect(201, admin.post('/admin/tenants', { code, name: code, owner }))
  return signIn(admin, '/auth/login/json', { ...owner, tenant_code: code })
}

async function assignEcho(admin: Api, owner: Api): Promise<void> {
  const { tenant_id: tenantId } = await expect(200, owner.get('/bench/who'))
  await expect(200, admin.post('/admin/plugins/bench.echo/tenants', { tenant_ids: [tenantId] }))
  await expect(200, owner.post('/tenant/plugins/bench.echo/enable'))
}

/** What a plugin costs that is enabled and never called. */
export async function measureIdlePlugins({ admin, pid }: BenchPlatform): Promise<void> {
  const count = 100
  const [before, processes] = [memoryOf(pid), descendants(pid).length]
  for (let index = 0; index < count; index++) await installEcho(admin, `bench.idle${index}`)
  print(
    `memory of an idle plugin (${count} enabled)`,
    `${((memoryOf(pid) - before) / count).toFixed(2)} MB`,
    'aim ≤ 3 MB',
  )
  print('processes added by them', String(descendants(pid).length - processes), 'not one each')
}

async function compare(shots: Shots, count: number): Promise<void> {
  const loads: Record<Name, Load[]> = { sandboxed: [], direct: [], bare: [] }
  for (let round = 0; round < rounds; round++) {
    for (const name of names) loads[name].push(await load(shots[name], count, 2))
  }
  const of = (name: Name, key: keyof Load): number => median(loads[name].map((one) => one[key]))
  for (const name of names) {
    const times = `p50 ${of(name, 'p50').toFixed(2)} ms, p99 ${of(name, 'p99').toFixed(2)} ms`
    print(`${name}, ${count} connections`, `${Math.round(of(name, 'perSecond'))}/s`, times)
  }
  const ratio = (other: Name): string => (of('sandboxed', 'perSecond') / of(other, 'perSecond')).toFixed(2)
  print(`sandboxed / bare Koa, ${count} connections`, ratio('bare'), count === 32 ? 'aim ≥ 0.35' : '')
  print(`sandboxed / the same handler without a sandbox, ${count} connections`, ratio('direct'), '')
  const added = of('sandboxed', 'p95') - of('direct', 'p95')
  print(`p95 added by the sandbox, ${count} connections`, `${added.toFixed(2)} ms`, '')
}

async function compareLatency(shots: Shots): Promise<void> {
  const [sandboxedShot] = shots.sandboxed
  const [directShot] = shots.direct
  if (!sandboxedShot || !directShot) throw new Error('nobody calls')
  const added: number[] = []
  for (let round = 0; round < rounds; round++) {
    const sandboxed = median(await latencies(sandboxedShot, 1500))
    const direct = median(await latencies(directShot, 1500))
    added.push(sandboxed - direct)
  }
  print('p50 added by the sandbox, 1 connection', `${median(added).toFixed(3)} ms`, 'aim ≤ 0.3 ms')
}
