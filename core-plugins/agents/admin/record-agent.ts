import type { Knex } from 'knex'
import type { Audit, Writer } from '../../access/contract.ts'
import type { PresentedAgent } from './present.ts'

/** Writes down who did what to an agent. */
export async function recordAgent(
  audit: Audit,
  what: string,
  { principal, state }: Writer,
  id: string,
  change: { readonly before?: PresentedAgent; readonly after?: PresentedAgent },
  trx: Knex.Transaction,
): Promise<void> {
  const about = { tenantId: principal.tenantId, actor: principal, traceId: state.traceId, target: `ai_agent:${id}` }
  await audit.record({ ...about, ...change, action: `ai_agent.${what}` }, trx)
}
