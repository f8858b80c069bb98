import { randomUUID } from 'node:crypto'
import { chaosPlugin } from '../chaos-plugin.ts'
import { outcomeOf, type Attempt } from '../ledger.ts'
import { between } from '../random.ts'
import { otherThan, tableOf, type Work, type WorkParts } from './work.ts'

const tries = 12

/** Writes under an Idempotency-Key, of the platform and of a plugin, asked for again until somebody knows what became of them. */
export function keyedWork({ world, ledger, random }: WorkParts): Work {
  const asked = new Map<string, { readonly by: 'platform' | 'plugin'; readonly attempts: Attempt[] }>()
  return {
    name: 'keyed',
    everyMs: 700,
    callers: 2,
    async step(host) {
      const id = randomUUID()
      const by = random() < 0.5 ? 'platform' : 'plugin'
      const path = by === 'platform' ? '/tenant/orgs' : `${chaosPlugin}/api/add`
      const body = by === 'platform' ? { name: id } : { id }
      const attempts: Attempt[] = []
      asked.set(id, { by, attempts })
      let at = host
      for (let count = 0; count < tries; count++) {
        const headers = { 'idempotency-key': id }
        const attempt = await ledger.call('keyed', at, world.owner(at), 'POST', path, { body, headers })
        attempts.push(attempt)
        if (!isWorthAsking(attempt)) return
        if (random() < 0.5) at = otherThan(at)
        await new Promise((resolve) => setTimeout(resolve, between(random, 200, 1500)))
      }
    },
    async check() {
      const facts = await tableOf(world, 'facts')
      const counts = new Map<string, number>()
      for (const sql of [`select text as id from ${facts}`, 'select name as id from access_orgs']) {
        for (const { id } of await world.postgres.rows<{ id: string }>(sql)) counts.set(id, (counts.get(id) ?? 0) + 1)
      }
      let unknown = 0
      for (const [id, { by, attempts }] of asked) {
        const count = counts.get(id) ?? 0
        const told = `of the ${by}: ${attempts.map(({ host, status, code }) => `${host}:${status}/${code}`).join(' ')}`
        const isDone = attempts.some((attempt) => outcomeOf(attempt) === 'done')
        // Without one unknown answer among them the last one counts.
        const isUnknown = attempts.some((attempt) => outcomeOf(attempt) === 'unknown' || isOutcomeUnknown(attempt))
        if (isUnknown && !isDone) unknown++
        if (count > 1) ledger.fault(`DOUBLE: done ${count} times under one key ${told}`)
        else if (isDone && count === 0) ledger.fault(`LOST: acknowledged under a key ${told}`)
        else if (!isDone && !isUnknown && count > 0) ledger.fault(`done although it was refused ${told}`)
      }
      return `${asked.size} keys, ${unknown} without a known outcome`
    },
  }
}

function isOutcomeUnknown({ code, answer }: Attempt): boolean {
  return code === 4090 && (answer?.body as { reason?: unknown }).reason === 'request_outcome_unknown'
}

function isWorthAsking(attempt: Attempt): boolean {
  const { status, code, answer } = attempt
  // A kept answer stays what it is.
  if (answer?.headers['idempotent-replayed'] === 'true') return false
  return status === 0 || status >= 500 || status === 429 || (code === 4090 && !isOutcomeUnknown(attempt))
}
