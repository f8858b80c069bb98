import { randomUUID } from 'node:crypto'
import { outcomeOf } from '../ledger.ts'
import type { Work, WorkParts } from './work.ts'

const files = '/tenant/plugins/acme.guestbook/api/files'

/** Files that the guestbook keeps, read at the end at both hosts. */
export function filesWork({ world, ledger }: WorkParts): Work {
  const kept: string[] = []
  return {
    name: 'files',
    everyMs: 1_500,
    callers: 1,
    async step(host) {
      const key = randomUUID()
      const attempt = await ledger.call('files', host, world.owner(host), 'PUT', `${files}/${key}`, {
        body: { text: key },
      })
      if (outcomeOf(attempt) === 'done') kept.push(key)
    },
    async check() {
      for (const [index, key] of kept.entries()) {
        const answer = await world.owner(index % 2 === 0 ? 0 : 1).get(`${files}/${key}`)
        if (answer.status !== 200 || (answer.body as unknown) !== key) {
          ledger.fault(`LOST: the file ${key} is ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`)
        }
      }
      return `${kept.length} files kept`
    },
  }
}
