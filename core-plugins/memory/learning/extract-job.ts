import type { Knex } from 'knex'
import { AppError } from '#kernel'
import type { JobKind, Jobs } from '../../jobs/contract.ts'
import type { AgentMemory } from '../switches.ts'
import { eraseIfGone, type Registers } from '../erase-if-gone.ts'
import type { Owner } from '../notes/owner.ts'
import { extract } from './extract.ts'

const extractKind = 'memory.extract'

/** What is learnt from. */
interface ExtractPayload {
  readonly userId: number
  readonly conversationId: string
  readonly agentId: string
  readonly scope: AgentMemory['scope']
  readonly model: string
  readonly traceId: string
}

/** The user may go on at once: what comes then is learnt from together. */
const laterMs = 1_000
const patienceMs = 60_000

/** Learns from conversations while nobody waits for it, of one user after the other. */
export function createExtractJob(
  parts: Parameters<typeof extract>[0] & Registers & { readonly isOnFor: (owner: Owner) => Promise<boolean> },
): JobKind<ExtractPayload> {
  return {
    ...{ kind: extractKind, attempts: 3, concurrency: 2, keepSeconds: 0, keepDeadSeconds: 86_400 },
    async run({ tenantId, payload: { userId, ...payload }, signal }) {
      const owner = { tenantId, userId }
      if (!(await parts.isOnFor(owner))) return
      try {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
        if (!(await extract(parts, { ...payload, owner, signal: limit }))) return { againIn: laterMs }
      } catch (error) {
        // What is refused, such as on a used-up quota, is made up for after the next answer.
        if (!(error instanceof AppError) || error.status >= 500) throw error
      }
      await eraseIfGone(owner, parts, parts.db)
    },
  }
}

/** Has a conversation learnt from a moment later, once. */
export async function enqueueExtraction(
  jobs: Pick<Jobs, 'enqueue'>,
  db: Knex,
  tenantId: number,
  payload: ExtractPayload,
): Promise<void> {
  const options = { tenant: tenantId, key: String(payload.userId), dedupe: payload.conversationId, delay: laterMs }
  await db.transaction((trx) => jobs.enqueue(trx, extractKind, payload, options))
}
