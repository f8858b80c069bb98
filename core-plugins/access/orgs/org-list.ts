import type { Knex } from 'knex'
import { presentPage, readIds, whatIsGiven, type DataScopePlan, type Page, type Principal } from '#kernel'
import { OrgNode } from '../records/org-models.ts'
import { whereReached, type OrgReach } from './org-reach.ts'
import { presentOrg, presentTree } from './present.ts'

// A larger tree is read level by level.
const wholeTreeLimit = 500

/** What a list of nodes may be asked for. */
export interface OrgFilter {
  /** 0 is the top of what the caller sees. */
  readonly parent_id?: number
  readonly status?: 'active' | 'disabled'
  readonly code?: string
  readonly ids?: string
  readonly leader_id?: number
}

/** The whole tree as far as the caller sees it while it is small, otherwise a page of nodes. */
export async function listOrgs(db: Knex, reach: OrgReach, principal: Principal, page: Page, filter: OrgFilter) {
  const plan = await reach.planOf(principal, 'tenant_org:list')
  const visible = () => whereReached(OrgNode.of(principal.tenantId, db), plan)
  const order = [...page.sort, { column: 'id' }]
  const { parent_id: parentId, status, code, leader_id } = filter
  const wanted = whatIsGiven<string | number>({ status, code, leader_id })
  const ids = readIds(filter.ids)
  const isNarrowed =
    page.pattern !== undefined || ids !== undefined || parentId !== undefined || Object.keys(wanted).length > 0
  const whole = isNarrowed
    ? []
    : await visible()
        .orderBy(order)
        .limit(wholeTreeLimit + 1)
  if (!isNarrowed && whole.length <= wholeTreeLimit) {
    // The tree is one page, and whoever turns it finds nothing behind.
    const items = page.page === 1 ? presentTree(whole) : []
    return { ...presentPage({ ...page, size: wholeTreeLimit }, whole.length, items), nested: true }
  }
  const query = visible().where(wanted)
  const parent = isNarrowed ? parentId : 0
  if (parent === 0) atTheTop(query, plan)
  else if (parent !== undefined) void query.where('parent_id', parent)
  if (ids) void query.whereIn('id', [...ids])
  const { pattern } = page
  if (pattern !== undefined) {
    void query.where((group) => void group.whereILike('name', pattern).orWhereILike('code', pattern))
  }
  const { results, total } = await query.orderBy(order).page(page.page - 1, page.size)
  const shown = results.map(({ id }) => id)
  const parents = new Set(
    (await visible().distinct('parent_id').whereIn('parent_id', shown)).map((row) => row.parentId),
  )
  const items = results.map((node) => ({ ...presentOrg(node), has_children: parents.has(node.id), children: [] }))
  return { ...presentPage(page, total, items), nested: false }
}

/** The nodes above which the caller sees nothing. */
function atTheTop(query: ReturnType<typeof OrgNode.query>, plan: DataScopePlan): void {
  if (plan.kind !== 'filter') void query.whereNull('parent_id')
  else void query.whereRaw('(parent_id is null or parent_id <> all(?::int[]))', [[...plan.orgIds]])
}
