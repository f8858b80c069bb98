import { pluginFolder, type PluginFile } from '#marketplace'
import { readPart } from '../../marketplace/keeper/index-folder.ts'
import { serveIndex } from '../../marketplace/keeper/serve-index.ts'
import { toStableJson } from '../../marketplace/keeper/stable-json.ts'
import { TestIndex } from '../core-plugins/plugin-index/world.ts'
import { manyPlugin } from '../marketplace/index-of-many.ts'
import { memoryOf } from '../support/processes.ts'
import { expect, type BenchPlatform } from './bench-platform.ts'
import { addSource, timed } from './install.ts'
import { latencies } from './load.ts'
import { print } from './print.ts'
import { percentile } from './sandbox-calls.ts'

const pluginCount = 5_000
const installed = 100
const requests = 200
const lists: Readonly<Record<string, string>> = {
  'first page': '?size=20',
  'a search': '?q=report+sales&size=20',
  'a filter': '?category=tools&trust=unsigned&size=20',
  'a deep page': '?page=200&size=20',
  'another order': '?sort=-updated&size=20',
  'a hundred at once': '?size=100',
}

/** An index of 5,000 plugins: its lists, its memory, what looking at it takes, and the updates of 100 installed plugins. */
export async function measureMarketplace(platform: BenchPlatform): Promise<void> {
  await using index = await TestIndex.create()
  for (let at = 0; at < pluginCount - installed; at++) await writePlugin(index, manyPlugin(at))
  const names = Array.from({ length: installed }, (_, at) => `acme.real${at}`)
  for (const name of names) await index.publish(name)
  await index.build()
  await using served = await serveIndex(index.directory, { host: '127.0.0.1', port: platform.indexPort })
  await measureMemory(platform, served.url)
  await measureLists(platform)
  for (const name of names) {
    await expect(201, platform.admin.post('/admin/plugins/install', { name, source: source }))
    await addVersion(index, name)
  }
  await measureRefresh(platform, 'unchanged', 10)
  await index.build()
  await measureRefresh(platform, 'changed', 1)
  await measureUpdates(platform)
}

const source = 'bench-many'

async function measureMemory(platform: BenchPlatform, url: string): Promise<void> {
  const { admin } = platform
  const before = await settled(platform)
  await expect(200, admin.post('/bench/loop'))
  const time = await timed(() => addSource(platform, url, source))
  const { milliseconds } = await expect(200, admin.post('/bench/loop'))
  const { plugins } = await expect(200, admin.get(`/admin/plugins/sources/${source}`))
  if (plugins !== pluginCount) throw new Error(`${String(plugins)} plugins are listed`)
  print(`first look at an index of ${pluginCount} plugins`, `${time.toFixed(0)} ms`, '')
  print('  the loop stood still for at most', `${Number(milliseconds).toFixed(0)} ms`, 'aim ≤ 50 ms')
  await expect(200, admin.get('/admin/plugins/marketplace?sort=-updated&q=report'))
  print('  memory that it takes', `${((await settled(platform)) - before).toFixed(0)} MB`, '')
}

async function measureLists({ admin }: BenchPlatform): Promise<void> {
  const headers = { authorization: `Bearer ${admin.token ?? ''}` }
  const shot = (place: string) => ({ url: `${admin.url}${place}`, method: 'GET' as const, headers })
  await latencies(shot('/bench/who'), requests)
  const floor = percentile(Array.from(await latencies(shot('/bench/who'), requests)), 0.95)
  print('a request that does nothing, p95', `${floor.toFixed(1)} ms`, 'the floor')
  for (const [title, query] of Object.entries(lists)) {
    const place = shot(`/plugins/marketplace${query}`)
    await latencies(place, 20)
    const times = Array.from(await latencies(place, requests))
    const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)]
    print(`list of ${pluginCount}: ${title}, p95`, `${p95.toFixed(1)} ms`, `p50 ${p50.toFixed(1)} ms, aim ≤ 20 ms`)
  }
}

async function measureRefresh({ admin }: BenchPlatform, state: string, count: number): Promise<void> {
  await expect(200, admin.post('/bench/loop'))
  const times: number[] = []
  for (let at = 0; at < count; at++) {
    times.push(await timed(() => expect(200, admin.post(`/admin/plugins/sources/${source}/refresh`))))
  }
  const { milliseconds } = await expect(200, admin.post('/bench/loop'))
  print(`another look at it, ${state}, p50 of ${count}`, `${percentile(times, 0.5).toFixed(0)} ms`, '')
  print('  the loop stood still for at most', `${Number(milliseconds).toFixed(0)} ms`, 'aim ≤ 50 ms')
}

async function measureUpdates({ admin }: BenchPlatform): Promise<void> {
  const headers = { authorization: `Bearer ${admin.token ?? ''}` }
  const first = await timed(async () => {
    const { available } = await expect(200, admin.get('/plugins/updates'))
    if (available !== installed) throw new Error(`${String(available)} updates are found`)
  })
  const times = Array.from(await latencies({ url: `${admin.url}/plugins/updates`, method: 'GET', headers }, 50))
  print(`updates of ${installed} installed plugins, the first time`, `${first.toFixed(0)} ms`, '')
  print('  p95 from then on', `${percentile(times, 0.95).toFixed(1)} ms`, '')
}

async function writePlugin(index: TestIndex, plugin: PluginFile): Promise<void> {
  await index.write(`${pluginFolder(plugin.name)}plugin.json`, toStableJson(plugin))
}

/** Lists one more version, whose package nobody asks for. */
async function addVersion(index: TestIndex, name: string): Promise<void> {
  const bytes = await readPart(index.directory, `${pluginFolder(name)}plugin.json`)
  const plugin = JSON.parse(String(bytes)) as PluginFile
  const [version] = plugin.versions
  if (!version) throw new Error(`${name} has no version`)
  await writePlugin(index, { ...plugin, versions: [{ ...version, version: '1.1.0' }, version] })
}

/** Megabytes once nothing is left to collect. */
async function settled({ admin, pid }: BenchPlatform): Promise<number> {
  await expect(200, admin.post('/bench/collect'))
  return memoryOf(pid)
}
