import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { Shot } from './load.ts'
import type { Pace, SteadyLoad } from './steady-load.ts'

// Fires until its input ends, and prints how it went. A time counts from the moment at which a request was due, so that one which had to wait for a connection is not told as fast.
const { shots, connections, pace } = JSON.parse(process.argv[2] ?? '') as {
  shots: readonly Shot[]
  connections: number
  pace: Pace
}
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const times: number[] = []
let failed = 0
let fault: string | undefined
let isOver = false

function fire({ url, method, headers, body }: Shot): Promise<string | undefined> {
  return new Promise((resolve) => {
    const sent = request(url, { method, agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () =>
        resolve(response.statusCode === 200 ? undefined : `${response.statusCode} ${text.slice(0, 300)}`),
      )
    })
    sent.on('error', (error) => resolve(error.message)).end(body)
  })
}

async function take(number: number, due: number): Promise<void> {
  const shot = shots[number % shots.length]
  if (!shot) return
  const wrong = await fire(shot)
  times.push(performance.now() - due)
  if (wrong === undefined) return
  failed++
  fault ??= wrong
}

async function fireAtRate(perSecond: number): Promise<void> {
  const started = performance.now()
  const flying = new Set<Promise<void>>()
  for (let number = 0; !isOver; number++) {
    const due = started + (number * 1_000) / perSecond
    const early = due - performance.now()
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
    const shot = take(number, due).finally(() => flying.delete(shot))
    flying.add(shot)
  }
  await Promise.all(flying)
}

async function fireAgainAndAgain(number: number): Promise<void> {
  while (!isOver) await take(number, performance.now())
}

function percentile(share: number): number {
  return times[Math.floor((times.length - 1) * share)] ?? Number.NaN
}

process.stdin.resume()
void once(process.stdin, 'end').then(() => (isOver = true))
if (pace === 'closed') await Promise.all(Array.from({ length: connections }, (_, number) => fireAgainAndAgain(number)))
else await fireAtRate(pace.perSecond)
times.sort((a, b) => a - b)
const [p50, p99, longest] = [percentile(0.5), percentile(0.99), percentile(1)]
const result: SteadyLoad = { count: times.length, failed, ...(fault !== undefined && { fault }), p50, p99, longest }
console.log(JSON.stringify(result))
agent.destroy()
