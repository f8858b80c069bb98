import type { Knex } from 'knex'
import type { QueryBuilderType } from 'objection'
import type { Principal, TenantResolver } from '#kernel'
import { AgentCodeTakenError, AgentNotFoundError } from '../errors.ts'
import { refuseFaults } from '../faults.ts'
import { AgentRow, AgentVersionRow } from '../tables.ts'

type Reader = Pick<Principal, 'scope' | 'tenantId'>

/** The agents that an administrator reaches: of every tenant, or of the own one. */
export function agentsFor({ scope, tenantId }: Reader, db: Knex): QueryBuilderType<AgentRow> {
  const query = scope === 'platform' ? AgentRow.acrossTenants(db) : AgentRow.of(tenantId, db)
  return query.whereNull('deleted_at')
}

/** Only agents that name a tool of somebody's, in the draft or in what answers. */
export function whereToolsOf(query: QueryBuilderType<AgentRow>, holder: string): void {
  const named = JSON.stringify([{ plugin: holder }])
  const answering = `exists (select 1 from ai_agent_versions as v where v.tenant_id = ai_agents.tenant_id
    and v.agent_id = ai_agents.id and v.version = ai_agents.active_version and v.definition->'tools' @> ?::jsonb)`
  void query.whereRaw(`draft->'tools' @> ?::jsonb`, [named]).orWhereRaw(answering, [named])
}

/** The row, locked within a transaction. Throws 404/4047, also for one of another tenant. */
export async function findAgent(reader: Reader, id: string, db: Knex, isLocked = false): Promise<AgentRow> {
  const query = agentsFor(reader, db).findById(id)
  const row = await (isLocked ? query.forUpdate() : query)
  if (!row) throw new AgentNotFoundError()
  return row
}

/** The version that answers, if any. */
export async function publishedOf(row: AgentRow, db: Knex): Promise<AgentVersionRow | undefined> {
  if (row.activeVersion === null) return undefined
  return AgentVersionRow.of(row.tenantId, db).findById([row.id, row.activeVersion])
}

/** Whose a new agent is: an administrator of a tenant makes the tenant's, one of the platform names it. Throws 422/4229. */
export async function ownerOf(
  { scope, tenantId }: Reader,
  wanted: number | undefined,
  tenants: Pick<TenantResolver, 'byId'>,
): Promise<number> {
  const owner = wanted ?? tenantId
  const isThere = scope === 'tenant' ? owner === tenantId : owner !== 0 && (await tenants.byId(owner)) !== undefined
  const fault = { field: 'tenant_id', rule: 'tenant_wanted', message: 'names the tenant that the agent is for' }
  refuseFaults(isThere ? [] : [fault])
  return owner
}

/** For `catch` of an insert or update. */
export function takenCode(error: unknown): never {
  const { nativeError } = error as { nativeError?: { constraint?: string } }
  if (nativeError?.constraint !== 'ai_agents_code') throw error
  throw new AgentCodeTakenError({ details: { field: 'code' }, cause: error })
}
