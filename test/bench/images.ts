import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { request } from 'undici'
import { textOf, uploaded } from '../support/attachments.ts'
import { claimedPng, movingGif, picture } from '../support/pictures.ts'
import { memoryOf } from '../support/processes.ts'
import { expect, type BenchPlatform } from './bench-platform.ts'
import { collectGarbage } from './collect-garbage.ts'
import { compareThroughput, median, type Shot } from './load.ts'
import { print } from './print.ts'
import { watchMemory } from './watch-memory.ts'

const connections = 8
const atOnce = 2
const qualities = Array.from({ length: 50 }, (_, index) => 50 + index)
const sampleMs = 50

/** Images of a photograph of 12 megapixels, beside node:http and sharp alone. */
export async function measureImages(platform: BenchPlatform, dataDir: string): Promise<void> {
  const { admin } = platform
  await expect(
    200,
    admin.put('/configs/groups/platform_image', { image_rate_limit: 6000, image_rate_window_seconds: 1 }),
  )
  await expect(200, admin.put('/configs/groups/platform_domain', { trusted_proxies: ['127.0.0.1'] }))
  const source = path.join(dataDir, 'source.jpg')
  const small = await picture(800, 600).png().toBuffer()
  await writeFile(source, await sharp(small).resize(4000, 3000).jpeg({ quality: 85 }).toBuffer())
  const id = await put(platform, 'photo.jpg', await readFile(source))
  const route = `${admin.url}/api/public/attachments/${id}/image`
  await measureHits(platform, dataDir, route)
  await measureMisses(platform, route, source)
  await measureBombs(platform)
}

async function put({ admin }: BenchPlatform, name: string, content: Buffer): Promise<string> {
  return textOf((await uploaded(admin, name, content, { visibility: 'public' }))['id'])
}

async function measureHits(platform: BenchPlatform, dataDir: string, route: string): Promise<void> {
  const url = `${route}?w=400&f=webp`
  const made = await request(url)
  const file = path.join(dataDir, 'derived.webp')
  await writeFile(file, Buffer.from(await made.body.arrayBuffer()))
  const etag = String(made.headers['etag'])
  const floor = await platform.serve('bare-file.ts', { BODY: file, ETAG: etag })
  const shot = (at: string): Shot => ({ url: at, method: 'GET', headers: {}, eachACaller: true })
  const known = (at: string): Shot => ({ ...shot(at), headers: { 'if-none-match': etag }, status: 304 })
  const { hit, bareHit, same, bareSame } = await compareThroughput(
    { hit: shot(url), bareHit: shot(floor), same: known(url), bareSame: known(floor) },
    { rounds: 3, seconds: 2, connections },
  )
  print('node:http sends the derived file, 8 connections', `${Math.round(bareHit)}/s`, 'the floor')
  print('cached image / node:http', (hit / bareHit).toFixed(2), 'aim ≥ 0.5')
  print('node:http answers 304, 8 connections', `${Math.round(bareSame)}/s`, 'the floor')
  print('image, 304 / node:http', (same / bareSame).toFixed(2), 'aim ≥ 0.5')
}

/** Each image is asked for once, by 8 clients; the floor makes the same ones, as many at once as the platform does. */
async function measureMisses({ admin }: BenchPlatform, route: string, source: string): Promise<void> {
  sharp.cache(false)
  sharp.concurrency(1)
  const bare = async (quality: number): Promise<void> => {
    const bytes = await readFile(source)
    await sharp(bytes, { sequentialRead: true }).autoOrient().resize(400, 300).webp({ quality }).toBuffer()
  }
  const ask = async (quality: number): Promise<void> => {
    const answer = await request(`${route}?w=400&f=webp&q=${quality}`)
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`an image was answered ${answer.statusCode}`)
  }
  const [warm, others] = [qualities.slice(0, atOnce), qualities.slice(atOnce)]
  // As many as are made at once: each lane of either is there before its time counts.
  await Promise.all(warm.flatMap((quality) => [ask(quality), bare(quality)]))
  const [parts, waits] = [2, [] as number[]]
  let [ours, floor] = [0, 0]
  for (let part = 0; part < parts; part++) {
    const some = others.filter((_, index) => index % parts === part)
    floor += await timeOf(() => eachOf(some, atOnce, bare))
    // Or ours, which is measured from here, would pay for the sources that the floor has read.
    collectGarbage()
    const watch = watchHealth(admin.url, waits)
    ours += await timeOf(() => eachOf(some, connections, ask))
    await watch()
  }
  print('sharp alone, images of 400 px of 12 megapixels', `${(others.length / floor).toFixed(1)}/s`, 'the floor')
  print('images not made yet / sharp alone', (floor / ours).toFixed(2), 'aim ≥ 0.85')
  waits.sort((a, b) => a - b)
  print(
    'health while 8 clients miss, p95',
    `${(waits[Math.floor(waits.length * 0.95)] ?? NaN).toFixed(1)} ms`,
    'aim ≤ 50 ms',
  )
}

async function measureBombs(platform: BenchPlatform): Promise<void> {
  const bombs: [string, Buffer][] = [
    ['square.png', claimedPng(64_250, 64_250)],
    ['tall.png', claimedPng(1, 50_000_001)],
    ['large.png', claimedPng(7072, 7072)],
    ['moving.gif', movingGif(10_000)],
  ]
  const ids = await Promise.all(bombs.map(([name, content]) => put(platform, name, content)))
  await expect(200, platform.admin.post('/bench/collect'))
  const idle = memoryOf(platform.pid)
  const peak = watchMemory(platform.pid)
  const times: number[] = []
  for (let width = 1; width <= 10; width++) {
    await Promise.all(
      ids.map(async (id) => {
        const started = performance.now()
        const answer = await request(`${platform.admin.url}/api/public/attachments/${id}/image?w=${width}`)
        await answer.body.dump()
        if (answer.statusCode !== 422) throw new Error(`a bomb was answered ${answer.statusCode}`)
        times.push(performance.now() - started)
      }),
    )
  }
  print('memory above idle while bombs are thrown', `${Math.round(peak() - idle)} MB`, 'aim ≤ 350 MB')
  print('a bomb is refused, median of four at once', `${median(times).toFixed(0)} ms`, 'aim < 100 ms')
}

/** Asks for health one time after the other until it is called; what each took is added. */
function watchHealth(url: string, waits: number[]): () => Promise<void> {
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const started = performance.now()
      await (await request(`${url}/api/public/health`)).body.dump()
      waits.push(performance.now() - started)
      await new Promise((resolve) => setTimeout(resolve, sampleMs))
    }
  })()
  return async () => {
    isOver = true
    await watching
  }
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

async function eachOf(list: readonly number[], workers: number, work: (item: number) => Promise<void>): Promise<void> {
  const queue = list.values()
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: workers }, worker))
}
