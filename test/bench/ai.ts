import { setTimeout as sleep } from 'node:timers/promises'
import { fireAi, type AiShots } from './ai-load.ts'
import { expect, type BenchPlatform } from './bench-platform.ts'
import { median } from './load.ts'
import { print } from './print.ts'

const rounds = 3
const json = 'application/json'

/** Somebody who answers in OpenAI's words: the gateway, the floor before the vendor, or the vendor itself. */
interface Server {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds of processor time so far. */
  readonly cpu: () => Promise<number>
}

interface World {
  readonly gateway: Server
  readonly floor: Server
  readonly vendor: Server
  /** Bytes of the gateway's process, after what is not used was let go. */
  readonly memory: () => Promise<number>
}

/** The gateway with a key, a quota hold, settlement and ledger, beside a program that only passes bytes on. */
export async function measureAi(platform: BenchPlatform): Promise<void> {
  const world = await createWorld(platform)
  await measurePlain(world)
  await measureAdded(world)
  await measureFrames(world)
  await measureHangUps(world)
  await measureHeld(world)
}

async function createWorld(platform: BenchPlatform): Promise<World> {
  const { admin, owner, vendorPort } = platform
  const env = { VENDOR_PORT: String(vendorPort) }
  const vendor = `http://127.0.0.1:${vendorPort}`
  await platform.serve('ai-vendor.ts', env)
  const floor = await platform.serve('bare-proxy.ts', env)
  for (const type of ['openai_compatible', 'anthropic']) {
    const head = { code: type, name: type, type, base_url: `${vendor}/v1` }
    const { id } = await expect(201, admin.post('/admin/ai/providers', { ...head, credentials: { api_key: 'sk-1' } }))
    for (const upstream of ['quick', '10x20', '200x10', '12x500']) {
      const name = `${type}-${upstream}`
      const model = {
        name,
        kind: 'chat',
        provider_id: id,
        upstream_model: upstream,
        price: { input: '1', output: '2' },
      }
      await expect(201, admin.post('/admin/ai/models', model))
    }
  }
  const cost = { name: 'cost', metric: 'cost', limit: '1000000', window: { kind: 'calendar', unit: 'month' } }
  await expect(201, owner.post('/admin/ai/quotas', cost))
  const { key } = await expect(201, owner.post('/admin/ai/api-keys', { name: 'bench', scopes: ['chat'] }))
  return {
    gateway: {
      ...{ url: admin.url, headers: { 'content-type': json, authorization: `Bearer ${String(key)}` } },
      cpu: async () => Number((await expect(200, admin.post('/bench/cpu')))['milliseconds']),
    },
    floor: {
      ...{ url: floor, headers: { 'content-type': json } },
      cpu: async () => ((await (await fetch(`${floor}/cpu`)).json()) as { milliseconds: number }).milliseconds,
    },
    vendor: { url: vendor, headers: { 'content-type': json }, cpu: () => Promise.resolve(0) },
    memory: async () => Number((await expect(200, admin.post('/bench/memory')))['bytes']),
  }
}

/** Requests for a model; the gateway knows it with its vendor before its name. */
function shots(
  { url, headers }: Server,
  model: string,
  rest: Pick<AiShots, 'count' | 'pace' | 'leaveAfterMs'>,
): AiShots {
  const isGateway = 'authorization' in headers
  const content = 'Say a few words about what the weather is like where you are, if you know.'
  const stream = model.endsWith('quick') ? {} : { stream: true, stream_options: { include_usage: true } }
  const named = isGateway && !model.includes('-') ? `openai_compatible-${model}` : model
  const body = { model: named, max_tokens: 500, messages: [{ role: 'user', content }], ...stream }
  return { url: `${url}/v1/chat/completions`, headers, body: JSON.stringify(body), ...rest }
}

/** Processor time of so many requests, with all that is settled after them, without what the process does at rest. */
async function cpuOf(server: Server, load: AiShots, restPerMs: number): Promise<number> {
  const [before, begun] = [await server.cpu(), performance.now()]
  await fireAi(load)
  await sleep(500)
  return (await server.cpu()) - before - restPerMs * (performance.now() - begun)
}

async function restOf(server: Server): Promise<number> {
  const [before, begun] = [await server.cpu(), performance.now()]
  await sleep(3_000)
  return ((await server.cpu()) - before) / (performance.now() - begun)
}

/** The median of rounds in which gateway and floor have their turns, after one that warms up. */
async function compare(
  { gateway, floor }: World,
  loadOf: (server: Server) => AiShots,
): Promise<{ readonly gateway: number; readonly floor: number }> {
  const rest = await restOf(gateway)
  const [own, bare]: [number[], number[]] = [[], []]
  await fireAi(loadOf(gateway))
  await fireAi(loadOf(floor))
  for (let round = 0; round < rounds; round++) {
    own.push(await cpuOf(gateway, loadOf(gateway), rest))
    bare.push(await cpuOf(floor, loadOf(floor), 0))
  }
  return { gateway: median(own), floor: median(bare) }
}

async function measurePlain(world: World): Promise<void> {
  const count = 2_000
  const cpu = await compare(world, (server) => shots(server, 'quick', { count, pace: { connections: 32 } }))
  print(
    'AI: CPU of a bare pass-through per plain request, 32 connections',
    `${(cpu.floor / count).toFixed(2)} ms`,
    'the floor',
  )
  print(
    'AI: CPU of the gateway per plain request, 32 connections',
    `${(cpu.gateway / count).toFixed(2)} ms`,
    'aim ≤ 0.9 ms',
  )
}

async function measureAdded({ gateway, floor, vendor }: World): Promise<void> {
  const paced = (server: Server) => fireAi(shots(server, 'quick', { count: 500, pace: { perSecond: 100 } }))
  const streamed = (server: Server) => fireAi(shots(server, '10x20', { count: 150, pace: { perSecond: 30 } }))
  const figures: Record<'plain' | 'bare' | 'first' | 'bareFirst', number[]> = {
    plain: [],
    bare: [],
    first: [],
    bareFirst: [],
  }
  for (let round = 0; round < rounds; round++) {
    const direct = (await paced(vendor)).p50
    figures.plain.push((await paced(gateway)).p50 - direct)
    figures.bare.push((await paced(floor)).p50 - direct)
    const first = (await streamed(vendor)).first50
    figures.first.push((await streamed(gateway)).first50 - first)
    figures.bareFirst.push((await streamed(floor)).first50 - first)
  }
  const told = (times: readonly number[]): string => `${median(times).toFixed(1)} ms`
  print('AI: time that a bare pass-through adds, median at 100/s', told(figures.bare), 'the floor')
  print('AI: time that the gateway adds, median at 100/s', told(figures.plain), 'aim ≤ 3.0 ms')
  print('AI: time that a bare pass-through adds to the first byte', told(figures.bareFirst), 'the floor')
  print('AI: time that the gateway adds to the first byte', told(figures.first), 'aim ≤ 6 ms')
}

/** Frames as they come from vendors: one a packet. */
async function measureFrames(world: World): Promise<void> {
  const [count, frames] = [32, 200]
  const load = { count, pace: { connections: count } }
  const same = await compare(world, (server) => shots(server, '200x10', load))
  const other = await compare(world, (server) =>
    shots(server, server === world.gateway ? 'anthropic-200x10' : '200x10', load),
  )
  const told = (milliseconds: number): string => `${((milliseconds * 1_000) / count / frames).toFixed(0)} µs`
  print('AI: CPU of a bare pass-through per streamed frame', told(same.floor), 'the floor')
  print('AI: CPU of the gateway per streamed frame, of one wire', told(same.gateway), 'aim ≤ 80 µs')
  print('AI: CPU of the gateway per streamed frame, translated', told(other.gateway), 'aim ≤ 200 µs')
}

async function measureHangUps({ gateway, vendor }: World): Promise<void> {
  const hungUp = async (): Promise<readonly number[]> =>
    (await (await fetch(`${vendor.url}/hung-up`)).json()) as number[]
  await hungUp()
  const load = { count: 50, pace: { connections: 50 }, leaveAfterMs: 600 }
  const { left } = await fireAi(shots(gateway, '200x10', load))
  await sleep(1_000)
  const late = (await hungUp()).map((at) => at - Math.max(...left))
  const inTime = late.filter((milliseconds) => milliseconds <= 250).length
  print('AI: clients that hang up, seen by the vendor within 250 ms', `${inTime} of 50`, 'aim 50 of 50')
}

async function measureHeld({ gateway, memory }: World): Promise<void> {
  const load = shots(gateway, '12x500', { count: 500, pace: { connections: 500 } })
  // Once before, so that what stays with the process is there.
  await fireAi(shots(gateway, '10x20', { count: 500, pace: { connections: 500 } }))
  await sleep(1_000)
  const before = await memory()
  const fired = fireAi(load)
  await sleep(4_000)
  const held = (await memory()) - before
  const { whole } = await fired
  print('AI: memory per held stream, of 500', `${(held / 500 / 1_024).toFixed(0)} KB`, 'aim ≤ 100 KB')
  print('AI: slow streams that came whole', `${whole} of 500`, 'aim 500 of 500')
}
