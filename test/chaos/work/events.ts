import { chaosPlugin } from '../chaos-plugin.ts'
import { until } from '../../support/until.ts'
import { outcomeOf } from '../ledger.ts'
import { tableOf, type Work, type WorkParts } from './work.ts'

interface Heard {
  readonly event: string
  readonly number: number
}

/** Events of a plugin, published one after the other: each is heard, in this order. */
export function eventsWork({ world, ledger }: WorkParts): Work {
  const acknowledged: number[] = []
  let last = 0
  return {
    name: 'events',
    everyMs: 900,
    callers: 0,
    async step(host) {
      const number = ++last
      const body = { number }
      const attempt = await ledger.call('events', host, world.owner(host), 'POST', `${chaosPlugin}/api/say`, { body })
      if (outcomeOf(attempt) === 'done') acknowledged.push(number)
    },
    async check() {
      const table = await tableOf(world, 'heard')
      const read = () => world.postgres.rows<Heard>(`select event, number from ${table} order by id`)
      const missing = (heard: readonly Heard[]) => {
        const numbers = new Set(heard.map(({ number }) => number))
        return acknowledged.filter((number) => !numbers.has(number))
      }
      await until(async () => missing(await read()).length === 0, 120_000).catch(() => undefined)
      const heard = await read()
      for (const number of missing(heard)) ledger.fault(`LOST: event ${number} was never heard`)
      const wanted = new Set(acknowledged)
      const firsts = [...new Set(heard.map(({ number }) => number))].filter((number) => wanted.has(number))
      for (const [index, number] of firsts.entries()) {
        if (number < (firsts[index - 1] ?? 0)) ledger.fault(`event ${number} came after ${firsts[index - 1]}`)
      }
      const events = new Set(heard.map(({ event }) => event)).size
      return `${acknowledged.length} of ${last} events acknowledged, ${heard.length - events} heard twice`
    },
  }
}
