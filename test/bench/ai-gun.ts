import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AiLoad, AiShots } from './ai-load.ts'

// Fires requests and reads what comes, whole or streamed, and prints how it went.
const { url, headers, body, count, pace, firstOf = '', leaveAfterMs } = JSON.parse(process.argv[2] ?? '') as AiShots
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
const times: number[] = []
const firsts: number[] = []
const left: number[] = []
let whole = 0
let fault = ''

function fire(due: number): Promise<void> {
  return new Promise((resolve) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let last = ''
      let isFirst = true
      response.setEncoding('utf8').on('data', (text: string) => {
        last = (last + text).slice(-2_000)
        if (isFirst && last.includes(firstOf)) {
          firsts.push(performance.now() - due)
          isFirst = false
        }
      })
      response.on('end', () => {
        times.push(performance.now() - due)
        const isWhole =
          response.statusCode === 200 && /\[DONE\]\s*$|message_stop"\}\s*$|run\.completed\ndata: .*\s*$|\}$/.test(last)
        if (isWhole) whole++
        else fault ||= `${String(response.statusCode)} ${last}`
      })
      response.on('close', resolve)
    })
    sent.on('error', (error) => {
      if (leaveAfterMs === undefined) fault ||= error.message
      resolve()
    })
    if (leaveAfterMs !== undefined) {
      setTimeout(() => {
        left.push(Date.now())
        sent.destroy()
      }, leaveAfterMs)
    }
    sent.end(body)
  })
}

async function fireAtRate(perSecond: number): Promise<void> {
  const started = performance.now()
  const flying: Promise<void>[] = []
  for (let at = 0; at < count; at++) {
    const due = started + (at * 1_000) / perSecond
    const early = due - performance.now()
    if (early > 0) await sleep(early)
    flying.push(fire(performance.now()))
  }
  await Promise.all(flying)
}

async function fireAgainAndAgain(connections: number): Promise<void> {
  let next = 0
  const one = async (): Promise<void> => {
    while (next++ < count) await fire(performance.now())
  }
  await Promise.all(Array.from({ length: connections }, one))
}

if ('perSecond' in pace) await fireAtRate(pace.perSecond)
else await fireAgainAndAgain(pace.connections)
const middle = (figures: number[]): number =>
  figures.sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN
const load: AiLoad = { whole, p50: middle(times), first50: middle(firsts), left, ...(fault !== '' && { fault }) }
console.log(JSON.stringify(load))
agent.destroy()
