import { isDeepStrictEqual } from 'node:util'
import type { AgentRow, AgentVersionRow } from '../tables.ts'
import type { AgentFile } from './wishes.ts'

/** An agent as administrators see it; `published` is the version that answers. */
export function presentAgent(row: AgentRow, published: AgentVersionRow | undefined) {
  return {
    ...{ id: row.id, code: row.code, tenant_id: row.tenantId, status: row.status, draft: row.draft },
    access: {
      ...{ mode: row.accessMode, roles: row.accessRoles, org_ids: row.accessOrgs, user_ids: row.accessUsers },
    },
    ...{ active_version: row.activeVersion, last_version: row.lastVersion },
    changed: !published || !isDeepStrictEqual(row.draft, published.definition),
    published_at: row.publishedAt?.toISOString() ?? null,
    version: row.revision,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }
}

/** What `presentAgent` makes. */
export type PresentedAgent = ReturnType<typeof presentAgent>

/** An agent in a list. */
export function presentListed(row: AgentRow) {
  const { name, description, avatar_url, tags, model } = row.draft
  return {
    ...{ id: row.id, code: row.code, tenant_id: row.tenantId, name, description, avatar_url, tags, model },
    ...{ status: row.status, access_mode: row.accessMode, active_version: row.activeVersion, version: row.revision },
    published_at: row.publishedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }
}

/** A version as administrators see it. */
export function presentVersion(row: AgentVersionRow, { activeVersion }: AgentRow) {
  return {
    ...{ version: row.version, active: row.version === activeVersion, note: row.note, definition: row.definition },
    ...{ created_by: row.createdBy, created_at: row.createdAt.toISOString() },
  }
}

/** The draft of an agent as one file. */
export function presentFile({ code, draft }: AgentRow): AgentFile {
  return { format: 'stoa.agent', format_version: 1, code, agent: draft }
}
