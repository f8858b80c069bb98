import type { Model, QueryBuilder } from 'objection'
import type { Principal } from '#kernel'
import type { Access } from '../../access/contract.ts'

/** What decides what somebody reads. */
export interface BaseReader {
  readonly roles: readonly string[]
  readonly orgs: readonly number[]
  readonly userId: number
}

/** What decides what a user reads. */
export async function whoReads(
  { tenantId, userId, roles }: Principal,
  access: Pick<Access, 'orgLineOf'>,
): Promise<BaseReader> {
  return { roles, userId, orgs: await access.orgLineOf(tenantId, userId) }
}

/** Narrows a query over knowledge bases to those that are for everybody, a role of the reader's, a node of the reader's or above it, or the reader. */
export function readableBy<Q extends QueryBuilder<Model, unknown>>(query: Q, { roles, orgs, userId }: BaseReader): Q {
  return query.whereRaw(
    `(ai_knowledge_bases.access_mode = 'all' or ai_knowledge_bases.access_roles && ?::text[]
      or ai_knowledge_bases.access_orgs && ?::int[] or ai_knowledge_bases.access_users && ?::int[])`,
    [[...roles], [...orgs], [userId]],
  )
}
