import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { request } from 'undici'
import { childEnv } from '../support/child-env.ts'
import { expect, type BenchPlatform } from './bench-platform.ts'
import { print } from './print.ts'
import type { Order } from './socket-gun.ts'

const count = 5_000
/** Connections of one user. */
const each = 5
/** Enough for garbage to be collected several times, on both sides. */
const events = 60
const ticksASecond = 100

interface Server {
  readonly pid: number
  readonly url: string
  readonly tokens: readonly string[]
  readonly tell: () => Promise<void>
  /** Bytes of the process without garbage. */
  readonly memory: () => Promise<number>
}

interface Figures {
  readonly perSecond: number
  readonly kilobytes: number
  readonly lastMs: number
  readonly cpuMicroseconds: number
}

/** Sockets that are opened, held and told something, beside a bare `ws` server that knows nobody. */
export async function measureRealtime(platform: BenchPlatform): Promise<void> {
  const { admin, owner, pid } = platform
  const people = await expect(200, owner.post('/tenant/bench/people', { count: count / each }))
  const floor = await platform.serveProcess('bare-ws.ts')
  const bare = await measure({
    ...{ pid: floor.pid, url: floor.url, tokens: [] },
    tell: async () => void (await (await request(floor.url)).body.dump()),
    memory: async () => Number(await (await request(`${floor.url}/memory`)).body.text()),
  })
  const ours = await measure({
    ...{ pid, url: `${owner.url}/ws/tenant`, tokens: people['tokens'] as readonly string[] },
    tell: async () => void (await expect(200, owner.post('/tenant/bench/tell'))),
    memory: async () => Number((await expect(200, admin.post('/bench/memory')))['bytes']),
  })
  const figure = (name: string, key: keyof Figures, unit: string, aim: string): void => {
    print(`${name}: bare ws`, `${bare[key].toFixed(1)} ${unit}`, 'the floor')
    print(`${name}: /ws/tenant`, `${ours[key].toFixed(1)} ${unit}`, '')
    print(`${name}, ours / bare`, (ours[key] / bare[key]).toFixed(2), aim)
  }
  figure(`memory of an idle connection of ${count}`, 'kilobytes', 'KB', 'aim ≤ 2')
  figure('connections a second, signed in', 'perSecond', '/s', 'aim ≥ 0.5')
  figure(`an event to ${count} sockets until the last has it`, 'lastMs', 'ms', 'aim ≤ 1.5, and ≤ 500 ms')
  figure('CPU of the server for one delivery', 'cpuMicroseconds', 'µs', 'aim ≤ 1.25')
}

async function measure({ pid, url, tokens, tell, memory }: Server): Promise<Figures> {
  const gun = fork(path.join(import.meta.dirname, 'socket-gun.ts'), { env: childEnv, stdio: 'inherit' })
  try {
    const open = { open: { url: url.replace(/^http/, 'ws'), tokens, count } }
    const before = await memory()
    await ask(gun, open)
    const kilobytes = ((await memory()) - before) / 1024 / count
    // What the first connections load and compile is not theirs.
    await ask(gun, { close: true })
    const { openedMs } = await ask<{ openedMs: number }>(gun, open)
    const times: number[] = []
    await fanOut(gun, tell)
    const cpu = cpuMs(pid)
    for (let event = 0; event < events; event += 1) times.push(await fanOut(gun, tell))
    const cpuMicroseconds = ((cpuMs(pid) - cpu) * 1_000) / (events * count)
    const lastMs = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
    return { perSecond: (count * 1_000) / openedMs, kilobytes, lastMs, cpuMicroseconds }
  } finally {
    gun.kill()
    await once(gun, 'exit')
  }
}

/** Milliseconds from the word to the server until the last socket has it. */
async function fanOut(gun: ChildProcess, tell: () => Promise<void>): Promise<number> {
  await ask(gun, { hear: 1 })
  const heard = next<{ heardAt: number }>(gun)
  const began = performance.timeOrigin + performance.now()
  await tell()
  return (await heard).heardAt - began
}

function ask<T>(gun: ChildProcess, order: Order): Promise<T> {
  const answer = next<T>(gun)
  gun.send(order)
  return answer
}

async function next<T>(gun: ChildProcess): Promise<T> {
  const [message] = (await once(gun, 'message')) as [T & { readonly closed?: number }]
  if (message.closed !== undefined) throw new Error(`a socket was closed with ${message.closed}`)
  return message
}

/** What a process has had of the processors, without its children. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksASecond
}
