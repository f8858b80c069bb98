import { readFile } from 'node:fs/promises'
import { serveIndex } from '../../marketplace/keeper/serve-index.ts'
import { TestIndex } from '../core-plugins/plugin-index/world.ts'
import { expect, type BenchPlatform } from './bench-platform.ts'
import { print } from './print.ts'
import { realisticRelease } from './realistic-package.ts'
import { percentile } from './sandbox-calls.ts'

const runs = 10

/** Installs of a plugin of a megabyte, from an upload and from an index, beside unpacking, hashing and writing the same bytes. */
export async function measureInstall(platform: BenchPlatform): Promise<void> {
  const { admin } = platform
  await using index = await TestIndex.create()
  const zips: string[] = []
  for (let run = 0; run <= runs; run++) zips.push(await index.publish(`acme.book${run}`, realisticRelease('1.0.0')))
  await index.build()
  await using served = await serveIndex(index.directory, { host: '127.0.0.1', port: platform.indexPort })
  await addSource(platform, served.url, 'bench-install')
  const times: Record<'floor' | 'upload' | 'index', number[]> = { floor: [], upload: [], index: [] }
  // The first of each compiles what the others use.
  for (const [run, zip] of zips.entries()) {
    const name = `acme.book${run}`
    const { milliseconds } = await expect(200, admin.post('/bench/install-floor', { zip }))
    times.floor.push(Number(milliseconds))
    const content = await readFile(zip)
    const file = { field: 'file', name: `${name}.zip`, content }
    times.upload.push(await timed(() => expect(201, admin.call('POST', '/admin/plugins/upload', { file }))))
    await remove(platform, name)
    times.index.push(await timed(() => expect(201, admin.post('/admin/plugins/install', { name }))))
    await remove(platform, name)
  }
  for (const each of Object.values(times)) each.shift()
  const size = (await readFile(zips[0] ?? '')).length / 1_048_576
  const floor = percentile(times.floor, 0.5)
  print(`unpack, hash, write and keep ${size.toFixed(2)} MB, p50`, `${floor.toFixed(0)} ms`, 'the floor')
  for (const from of ['upload', 'index'] as const) {
    const p50 = percentile(times[from], 0.5)
    print(`install from an ${from}, p50 of ${runs}`, `${p50.toFixed(0)} ms`, 'aim ≤ 1000 ms')
    print(`  p95`, `${percentile(times[from], 0.95).toFixed(0)} ms`, `${(p50 / floor).toFixed(1)} times the floor`)
  }
}

/** Adds an index source and waits until it was read. */
export async function addSource({ admin }: BenchPlatform, url: string, id: string): Promise<void> {
  await expect(201, admin.post('/admin/plugins/sources', { id, name: id, url }))
  await expect(200, admin.post(`/admin/plugins/sources/${id}/refresh`))
}

/** Milliseconds that something took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function remove({ admin }: BenchPlatform, name: string): Promise<void> {
  await expect(200, admin.delete(`/admin/plugins/${name}?purge=true`))
}
