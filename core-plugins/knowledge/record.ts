import type { Knex } from 'knex'
import type { Audit, Writer } from '../access/contract.ts'

/** Writes down who did what to a knowledge base or one of its documents. */
export async function recordKnowledge(
  audit: Audit,
  action: `knowledge_${'base' | 'document'}.${string}`,
  { principal, state }: Writer,
  id: string,
  change: { readonly before?: object; readonly after?: object },
  trx: Knex.Transaction,
): Promise<void> {
  const about = { tenantId: principal.tenantId, actor: principal, traceId: state.traceId }
  const target = `${action.slice(0, action.indexOf('.'))}:${id}`
  await audit.record({ ...about, ...change, target, action }, trx)
}
