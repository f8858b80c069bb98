import { descendants, memoryOf } from '../support/processes.ts'
import { expect, installEcho, type BenchPlatform } from './bench-platform.ts'
import { compareThroughput, latencies, median, type Shot } from './load.ts'
import { print } from './print.ts'

const rounds = 3

/** The sandboxed route, the same handler without a sandbox, and bare Koa, in turns. */
export async function measureSandbox(platform: BenchPlatform): Promise<void> {
  const { admin, owner } = platform
  await installEcho(admin, 'bench.echo')
  const { tenant_id: tenantId } = await expect(200, owner.get('/bench/who'))
  await expect(200, admin.post('/admin/plugins/bench.echo/tenants', { tenant_ids: [tenantId] }))
  await expect(200, owner.post('/tenant/plugins/bench.echo/enable'))
  const floor = await platform.serve('bare-koa.ts')
  const headers = { authorization: `Bearer ${owner.token ?? ''}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ text: 'a text of some length, as a form field has' })
  const shots: Record<'sandboxed' | 'direct' | 'bare', Shot> = {
    sandboxed: { url: `${owner.url}/tenant/plugins/bench.echo/api/echo`, method: 'POST', headers, body },
    direct: { url: `${owner.url}/tenant/bench/echo`, method: 'POST', headers, body },
    bare: { url: floor, method: 'POST', headers, body },
  }
  const { sandboxed, direct, bare } = await compareThroughput(shots, { rounds, seconds: 4 })
  print('bare Koa, 32 connections', `${Math.round(bare)}/s`, 'the floor')
  print('sandboxed tenant route / bare Koa', (sandboxed / bare).toFixed(2), 'aim ≥ 0.35')
  print('sandboxed tenant route / the same handler without a sandbox', (sandboxed / direct).toFixed(2), '')
  print('handler without a sandbox / bare Koa', (direct / bare).toFixed(2), '')
  await compareLatency(shots)
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

async function compareLatency(shots: Record<'sandboxed' | 'direct', Shot>): Promise<void> {
  const added: number[] = []
  for (let round = 0; round < rounds; round++) {
    const sandboxed = median(await latencies(shots.sandboxed, 1500))
    const direct = median(await latencies(shots.direct, 1500))
    added.push(sandboxed - direct)
  }
  print('p50 added by the sandbox, 1 connection', `${median(added).toFixed(3)} ms`, 'aim ≤ 0.3 ms')
}
