import { setTimeout as sleep } from 'node:timers/promises'
import { fireAi, type AiShots } from './ai-load.ts'
import { expect, type BenchPlatform } from './bench-platform.ts'
import { median } from './load.ts'
import { print } from './print.ts'

const rounds = 3
const slow = '12x500'
const quick = '10x20'
/** The vendor of the bench answers with streams alone, and a title would be asked for beside the answers that are measured. */
const plain = { generate_titles: false }
const content = 'Say a few words about what the weather is like where you are, if you know.'

interface World {
  /** Asks the gateway, or the agent whose model is the same. */
  readonly gateway: (model: string, rest: Rest) => AiShots
  readonly agent: (model: string, rest: Rest) => AiShots
  readonly memory: () => Promise<number>
}

type Rest = Pick<AiShots, 'count' | 'pace' | 'firstOf'>

/** Runs of agents, stored and streamed, beside the same model asked through the gateway alone. */
export async function measureChat(platform: BenchPlatform): Promise<void> {
  const world = await createWorld(platform)
  await measureFirst(world)
  await measureHeld(world)
}

async function createWorld(platform: BenchPlatform): Promise<World> {
  const { admin, owner, vendorPort } = platform
  const vendor = `http://127.0.0.1:${vendorPort}`
  const isThere = await fetch(`${vendor}/hung-up`).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!isThere) await platform.serve('ai-vendor.ts', { VENDOR_PORT: String(vendorPort) })
  const head = { code: 'chat', name: 'Chat', type: 'openai_compatible', base_url: `${vendor}/v1` }
  const { id } = await expect(201, admin.post('/admin/ai/providers', { ...head, credentials: { api_key: 'sk-1' } }))
  for (const upstream of [quick, slow]) {
    const model = { name: `chat-${upstream}`, kind: 'chat', provider_id: id, upstream_model: upstream }
    await expect(201, admin.post('/admin/ai/models', { ...model, price: { input: '1', output: '2' } }))
    const agent = { code: `bench-${upstream}`, name: upstream, model: model.name, instructions: 'Be brief.', ...plain }
    const made = await expect(201, owner.post('/admin/ai/agents', agent))
    await expect(200, owner.post(`/admin/ai/agents/${String(made['id'])}/publish`, {}))
  }
  const { key } = await expect(201, owner.post('/admin/ai/api-keys', { name: 'chat', scopes: ['chat'] }))
  const json = { 'content-type': 'application/json' }
  return {
    gateway: (model, rest) => ({
      url: `${admin.url}/v1/chat/completions`,
      headers: { ...json, authorization: `Bearer ${String(key)}` },
      body: JSON.stringify({ model: `chat-${model}`, stream: true, messages: [{ role: 'user', content }] }),
      ...rest,
    }),
    agent: (model, rest) => ({
      url: `${owner.url}/ai/agent-chat/bench-${model}/chat/stream`,
      headers: { ...json, authorization: `Bearer ${owner.token ?? ''}` },
      body: JSON.stringify({ message: content }),
      ...rest,
    }),
    memory: async () => Number((await expect(200, admin.post('/bench/memory')))['bytes']),
  }
}

async function measureFirst({ gateway, agent }: World): Promise<void> {
  const load = { count: 150, pace: { perSecond: 30 } }
  const [bytes, pieces]: [number[], number[]] = [[], []]
  await fireAi(gateway(quick, load))
  await fireAi(agent(quick, load))
  for (let round = 0; round < rounds; round++) {
    const own = (await fireAi(gateway(quick, { ...load, firstOf: 'word' }))).first50
    bytes.push((await fireAi(agent(quick, load))).first50 - own)
    pieces.push((await fireAi(agent(quick, { ...load, firstOf: 'event: message.delta' }))).first50 - own)
  }
  const told = (times: readonly number[]): string => `${median(times).toFixed(1)} ms`
  print('Chat: first byte of an agent’s stream after the gateway’s first word', told(bytes), 'before it')
  print('Chat: time that an agent adds to the gateway’s first word', told(pieces), 'aim ≤ 5 ms')
}

async function measureHeld({ agent, memory }: World): Promise<void> {
  const count = 500
  const pace = { connections: count }
  // Once before, so that what stays with the process is there.
  await fireAi(agent(quick, { count, pace }))
  await sleep(1_000)
  const before = await memory()
  const fired = fireAi(agent(slow, { count, pace }))
  await sleep(5_000)
  const held = (await memory()) - before
  const { whole } = await fired
  print('Chat: memory per held run, of 500', `${(held / count / 1_024).toFixed(0)} KB`, 'aim ≤ 200 KB')
  print('Chat: slow runs that came whole', `${whole} of ${count}`, 'aim 500 of 500')
}
