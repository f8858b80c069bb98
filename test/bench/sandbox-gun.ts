import { Agent, request } from 'node:http'
import type { Load } from './sandbox-load.ts'
import type { Shot } from './load.ts'

// Fires from so many connections for so long, and prints how it went: in fractions of a millisecond, which autocannon rounds away.
const { shots, connections, seconds } = JSON.parse(process.argv[2] ?? '') as {
  shots: readonly Shot[]
  connections: number
  seconds: number
}
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const times: number[] = []

function fire({ url, method, headers, body }: Shot): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`${url} answered ${response.statusCode}`))
      })
    })
    sent.on('error', reject).end(body)
  })
}

async function fireAgainAndAgain(shot: Shot, end: number): Promise<void> {
  while (performance.now() < end) {
    const since = performance.now()
    await fire(shot)
    times.push(performance.now() - since)
  }
}

function percentile(share: number): number {
  return times[Math.floor((times.length - 1) * share)] ?? Number.NaN
}

const start = performance.now()
const end = start + seconds * 1_000
const guns = Array.from({ length: connections }, (_, n) => shots[n % shots.length] ?? [])
await Promise.all(guns.flat().map((shot) => fireAgainAndAgain(shot, end)))
const perSecond = (times.length * 1_000) / (performance.now() - start)
times.sort((a, b) => a - b)
const result: Load = { perSecond, p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) }
console.log(JSON.stringify(result))
agent.destroy()
