import type { FieldError } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import type { KnowledgeBaseRow } from '../tables.ts'

/** Who may read a knowledge base, as the wire has it. */
interface BaseAccess {
  readonly mode: KnowledgeBaseRow['accessMode']
  readonly roles?: readonly string[]
  readonly org_ids?: readonly number[]
  readonly user_ids?: readonly number[]
}

/** What may be said of a knowledge base. */
export interface BaseWish {
  readonly name?: string
  readonly description?: string
  readonly language?: string | null
  readonly access?: BaseAccess
  readonly embedding_model?: string | null
  readonly retrieval?: { readonly top_k?: number; readonly min_score?: number }
}

/** A knowledge base to be made. */
export interface NewBase extends BaseWish {
  readonly name: string
  readonly tenant_id?: number
}

/** The columns that follow from what was said. */
export function baseColumns({
  name,
  description,
  language,
  access,
  retrieval,
  embedding_model,
}: BaseWish): Partial<KnowledgeBaseRow> {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(language !== undefined && { language }),
    ...(access && accessColumns(access)),
    ...(embedding_model !== undefined && { embeddingModel: embedding_model }),
    ...(retrieval?.top_k !== undefined && { topK: retrieval.top_k }),
    ...(retrieval?.min_score !== undefined && { minScore: retrieval.min_score }),
  }
}

function accessColumns({ mode, roles = [], org_ids: orgs = [], user_ids: users = [] }: BaseAccess) {
  const isForAll = mode === 'all'
  return {
    accessMode: mode,
    accessRoles: isForAll ? [] : [...roles],
    accessOrgs: isForAll ? [] : [...orgs],
    accessUsers: isForAll ? [] : [...users],
  }
}

/** Roles, nodes and users that the tenant does not have. */
export async function accessFaults(
  { roles = [], org_ids: orgIds = [], user_ids: userIds = [] }: Partial<BaseAccess>,
  tenantId: number,
  access: Pick<Access, 'listRoles' | 'knownOrgs'>,
  users: Pick<UserDirectory, 'list'>,
): Promise<readonly FieldError[]> {
  const codes = roles.length > 0 ? (await access.listRoles(tenantId)).map(({ code }) => code) : []
  const orgs = orgIds.length > 0 ? await access.knownOrgs(tenantId, orgIds) : []
  const people = userIds.length > 0 ? await users.list(tenantId, { ids: userIds, limit: userIds.length }) : []
  return [
    ...unknown(roles, codes, 'roles', 'known_role', 'is no role'),
    ...unknown(orgIds, orgs, 'org_ids', 'known_org', 'is no organisation node'),
    ...unknown(
      userIds,
      people.map(({ id }) => id),
      ...(['user_ids', 'known_user', 'is no user'] as const),
    ),
  ]
}

function unknown<T>(
  wanted: readonly T[],
  known: readonly T[],
  field: string,
  rule: string,
  message: string,
): readonly FieldError[] {
  return wanted.flatMap((each, at) =>
    known.includes(each) ? [] : [{ field: `access.${field}[${String(at)}]`, rule, message }],
  )
}
