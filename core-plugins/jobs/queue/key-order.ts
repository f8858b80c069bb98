import type { Knex } from 'knex'
import { lockUntilCommit } from '#kernel'
import { everybody } from './everybody.ts'

/** What orders a job behind others. */
export interface OrderedKey {
  readonly kind: string
  readonly tenantId: number
  readonly key: string
}

/** Until the transaction ends nobody else adds to this key, nor ends one of its jobs: otherwise a job could be held by one that is gone. */
export function lockKey(trx: Knex.Transaction, { kind, tenantId, key }: OrderedKey): Promise<void> {
  return lockUntilCommit(trx, `jobs.key:${kind}:${tenantId}:${key}`)
}

/** Lets the next job of a key go, now that the one before it has ended; within the lock of the key. */
export async function releaseNext(trx: Knex.Transaction, { kind, tenantId, key }: OrderedKey): Promise<void> {
  await trx
    .raw(
      `with first as (
         select id, state from jobs
          where kind = ? and tenant_id = ? and key = ? and state in ('waiting', 'delayed', 'held', 'running')
          order by (state <> 'held') desc, position limit 1)
       update jobs set state = case when jobs.run_at > now() then 'delayed' else 'waiting' end
         from first where jobs.id = first.id and first.state = 'held'`,
      [kind, tenantId, key],
    )
    .queryContext(everybody)
}
