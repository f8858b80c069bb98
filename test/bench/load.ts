import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as nodeRequest } from 'node:http'
import path from 'node:path'

/** One request that is sent again and again. */
export interface Shot {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The status that is wanted instead of 200. */
  readonly status?: 304
  /** Whether each connection is of callers of its own by `X-Forwarded-For`, or a limit of each caller would be one of the run. */
  readonly eachACaller?: boolean
}

/** What autocannon found out. */
interface Result {
  readonly requests: { readonly average: number }
  readonly '2xx': number
  readonly '3xx': number
  readonly non2xx: number
  readonly errors: number
  readonly timeouts: number
}

/** Requests per second at so many connections, from a process of its own; a failed request ends the run. */
async function requestsPerSecond(shot: Shot, connections: number, seconds: number): Promise<number> {
  const { url, method, headers, body, eachACaller = false } = shot
  const load = { url, method, headers, body, eachACaller, connections, duration: seconds }
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'gun.ts'), JSON.stringify(load)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  await once(child, 'close')
  const result = JSON.parse(text) as Result
  const wrong = shot.status === 304 ? result.non2xx - result['3xx'] + result['2xx'] : result.non2xx
  if (wrong + result.errors + result.timeouts > 0) {
    throw new Error(`${shot.url}: ${wrong} of another status, ${result.errors} errors, ${result.timeouts} timeouts`)
  }
  return result.requests.average
}

/** Requests per second of each shot, at 32 connections unless said otherwise: the medians of rounds in which each has its turn, after one that warms up. */
export async function compareThroughput<const N extends string>(
  shots: Readonly<Record<N, Shot>>,
  {
    rounds,
    seconds,
    connections = 32,
  }: { readonly rounds: number; readonly seconds: number; readonly connections?: number },
): Promise<Readonly<Record<N, number>>> {
  const names = Object.keys(shots) as N[]
  const figures = new Map<N, number[]>(names.map((name) => [name, []]))
  for (const name of names) await requestsPerSecond(shots[name], connections, 2)
  for (let round = 0; round < rounds; round++) {
    for (const name of names) figures.get(name)?.push(await requestsPerSecond(shots[name], connections, seconds))
  }
  return Object.fromEntries(names.map((name) => [name, median(figures.get(name) ?? [])])) as Record<N, number>
}

/** Milliseconds of so many requests, one after the other on one connection, sorted. */
export async function latencies(shot: Shot, count: number): Promise<Float64Array> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times = new Float64Array(count)
  for (let index = 0; index < count; index++) {
    const started = performance.now()
    await fire(shot, agent)
    times[index] = performance.now() - started
  }
  agent.destroy()
  return times.sort()
}

/** The middle of sorted or unsorted figures. */
export function median(figures: ArrayLike<number>): number {
  const sorted = Array.from(figures).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function fire({ url, method, headers, body }: Shot, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = nodeRequest(url, { method, agent, headers }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`${url} answered ${response.statusCode}`))
      })
    })
    request.on('error', reject).end(body)
  })
}
