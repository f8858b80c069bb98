import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { request } from 'undici'
import { memoryOf } from '../support/processes.ts'
import { expect, type BenchPlatform } from './bench-platform.ts'
import { compareThroughput, type Shot } from './load.ts'
import { print } from './print.ts'

const place = '/api/public/tenant/config'
const tenants = 10_000
const atOnce = 64

/** A tenant's public configuration, whole and not changed, beside a bare Koa that sends the same body, in turns. */
export async function measurePublicConfig(platform: BenchPlatform, dataDir: string): Promise<void> {
  const host = `${platform.tenantCode}.localhost`
  const answer = await request(`${platform.admin.url}${place}`, { headers: { host } })
  const [body, etag] = [await answer.body.text(), String(answer.headers['etag'])]
  const file = path.join(dataDir, 'body.json')
  await writeFile(file, body)
  const floor = await platform.serve('bare-body.ts', { BODY: file, ETAG: etag })
  const shot = (url: string): Shot => ({ url, method: 'GET', headers: { host } })
  const known = (url: string): Shot => ({ url, method: 'GET', headers: { host, 'if-none-match': etag }, status: 304 })
  const route = `${platform.admin.url}${place}`
  const { whole, bareWhole, unchanged, bareUnchanged } = await compareThroughput(
    {
      whole: shot(route),
      bareWhole: shot(floor),
      unchanged: known(route),
      bareUnchanged: known(floor),
    },
    { rounds: 3, seconds: 3 },
  )
  print(`bare Koa with the same ${body.length} characters, 32 connections`, `${Math.round(bareWhole)}/s`, 'the floor')
  print('public tenant configuration / bare Koa', (whole / bareWhole).toFixed(2), 'aim ≥ 0.5')
  print('bare Koa that answers 304, 32 connections', `${Math.round(bareUnchanged)}/s`, 'the floor')
  print('public tenant configuration, 304 / bare Koa', (unchanged / bareUnchanged).toFixed(2), 'aim ≥ 0.5')
}

/** What a host needs more for having read the configuration of very many tenants. */
export async function measureConfigMemory(platform: BenchPlatform): Promise<void> {
  await platform.admin.post('/bench/tenants', { count: tenants })
  const before = await settled(platform)
  const started = performance.now()
  for (let first = 1; first <= tenants; first += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, tenants - first + 1) }, (_, index) => first + index)
    await Promise.all(numbers.map((number) => read(platform, `many-${number}`)))
  }
  const seconds = (performance.now() - started) / 1000
  const after = await settled(platform)
  print(`memory of ${tenants} tenants’ configuration reads`, `${Math.round(after - before)} MB`, 'aim ≤ 150 MB')
  print(`first reads of ${tenants} tenants’ configuration`, `${Math.round(tenants / seconds)}/s`, 'for information')
}

async function read({ admin }: BenchPlatform, code: string): Promise<void> {
  await expect(200, admin.get(place, { host: `${code}.localhost` }))
}

/** Megabytes once nothing is left to collect. */
async function settled({ admin, pid }: BenchPlatform): Promise<number> {
  await expect(200, admin.post('/bench/collect'))
  return memoryOf(pid)
}
