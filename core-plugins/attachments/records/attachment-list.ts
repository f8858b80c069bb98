import type { Knex } from 'knex'
import type { QueryBuilderType } from 'objection'
import { applyDataScope, whatIsGiven, wherePeriod, type DataScopePlan, type Page, type Period } from '#kernel'
import { Attachment, type Usage, type Visibility } from '../models.ts'

/** Which attachments a list shows; what is left out does not matter. */
export interface AttachmentFilter extends Period {
  readonly visibility?: Visibility
  readonly usage?: Usage
  readonly status?: string
  readonly extension?: string
  readonly type?: string
  readonly min_size?: number
  readonly max_size?: number
  readonly owner_id?: number
  readonly tenant_id?: number
}

/** Fields that lists are sorted by. */
export const sortable = ['-created_at', 'filename', 'size', 'download_count', 'extension']

/** Attachments of one tenant that a plan reaches. */
export function listOfTenant(db: Knex, tenantId: number, plan: DataScopePlan, page: Page, filter: AttachmentFilter) {
  const query = applyDataScope(Attachment.of(tenantId, db), plan, { owner: 'owner_id', org: 'org_id' })
  return pageOfQuery(query, page, filter)
}

/** Attachments of the platform and of all tenants. */
export function listOfAll(db: Knex, page: Page, filter: AttachmentFilter) {
  const query = Attachment.acrossTenants(db)
  if (filter.tenant_id !== undefined) void query.where('tenant_id', filter.tenant_id)
  return pageOfQuery(query, page, filter)
}

function pageOfQuery(
  query: QueryBuilderType<Attachment>,
  { pattern, sort, page, size }: Page,
  { visibility, usage, status, extension, owner_id, type, min_size, max_size, from, to }: AttachmentFilter,
) {
  void query.where(whatIsGiven<string | number>({ visibility, usage, status, extension, owner_id }))
  wherePeriod(query, 'created_at', { from, to })
  // As a range that an index has: under row-level security none is used for LIKE.
  if (type !== undefined) void query.whereRaw(`mime_type collate "C" between ? and ?`, [`${type}/`, `${type}/~`])
  if (min_size !== undefined) void query.where('size', '>=', min_size)
  if (max_size !== undefined) void query.where('size', '<=', max_size)
  if (pattern !== undefined) void query.whereILike('filename', pattern)
  return query.orderBy([...sort, { column: 'id' }]).page(page - 1, size)
}
