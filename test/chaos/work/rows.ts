import { randomUUID } from 'node:crypto'
import { chaosPlugin } from '../chaos-plugin.ts'
import { outcomeOf, type Attempt } from '../ledger.ts'
import { tableOf, type Work, type WorkParts } from './work.ts'

/** Transactions of a plugin, each of two rows that nobody else writes. */
export function rowsWork({ world, ledger }: WorkParts): Work {
  const asked = new Map<string, Attempt>()
  return {
    name: 'rows',
    everyMs: 300,
    callers: 3,
    async step(host) {
      const id = randomUUID()
      const body = { id }
      asked.set(id, await ledger.call('rows', host, world.owner(host), 'POST', `${chaosPlugin}/api/add`, { body }))
    },
    async check() {
      const table = await tableOf(world, 'facts')
      const rows = await world.postgres.rows<{ text: string }>(`select text from ${table}`)
      const texts = Map.groupBy(rows, ({ text }) => text)
      let done = 0
      for (const [id, attempt] of asked) {
        const first = texts.get(id)?.length ?? 0
        const second = texts.get(`${id} again`)?.length ?? 0
        const outcome = outcomeOf(attempt)
        if (outcome === 'done') done++
        const told = `${attempt.status}/${attempt.code} by host ${attempt.host} at ${new Date(attempt.from).toISOString()}`
        if (first !== second) ledger.fault(`half a transaction is there: ${first} and ${second} rows after ${told}`)
        else if (first > 1) ledger.fault(`rows written ${first} times after ${told}`)
        else if (outcome === 'done' && first === 0) ledger.fault(`LOST: acknowledged rows are not there: ${told}`)
        else if (outcome === 'refused' && first > 0) ledger.fault(`rows are there although the answer was ${told}`)
      }
      return `${done} of ${asked.size} transactions acknowledged`
    },
  }
}
