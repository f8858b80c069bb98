import type { Knex } from 'knex'
import {
  DataScopeError,
  NotFoundError,
  presentPage,
  requirePermission,
  whatIsGiven,
  type Page,
  type Principal,
} from '#kernel'
import { requireFewRoles } from '../grants/held-roles.ts'
import { auditEntry } from '../audit-entry.ts'
import type { Writer } from '../contract.ts'
import { knownUsers } from './known-users.ts'
import type { Memberships } from './memberships.ts'
import { OrgNode, UserOrg } from '../records/org-models.ts'
import { unknownIn, whereReached } from './org-reach.ts'
import type { OrgParts } from './org-service.ts'
import { rolesThrough } from '../records/roles-through.ts'
import { inSubtrees } from '../records/subtree.ts'
import { presentUser, type UserNames } from '../user-names.ts'

// Declared by the plugin of the users, which comes after this one: the routes cannot ask for them.
const reading = 'tenant_user:list'
const writing = 'tenant_user:update'

/** Which members a list shows; what is left out does not matter. */
interface MemberFilter {
  /** Those of the nodes below too. */
  readonly with_children?: boolean
  readonly user_id?: number
  readonly org_id?: number
  readonly is_primary?: boolean
}

type MemberParts = OrgParts & { readonly names: UserNames }

/** The members of nodes. */
export class OrgMembers {
  readonly #parts: MemberParts
  readonly #memberships: Memberships

  constructor(parts: MemberParts, memberships: Memberships) {
    this.#parts = parts
    this.#memberships = memberships
  }

  /** Members of a node, on request with those of the nodes below that the caller sees. */
  async list(principal: Principal, id: number, page: Page, { with_children = false, ...filter }: MemberFilter) {
    const { db, names, reach } = this.#parts
    requirePermission(principal, reading)
    const node = await reach.find(principal, id, reading, db)
    const plan = await reach.planOf(principal, reading)
    const nodes = inSubtrees(OrgNode.of(node.tenantId, db).select('id'), [node.path])
    const { user_id, org_id, is_primary } = filter
    const query = UserOrg.of(node.tenantId, db).where(whatIsGiven<number | boolean>({ user_id, org_id, is_primary }))
    // Of a user nothing but the id is known here.
    if (page.pattern !== undefined) void query.whereRaw('user_id::text like ?', [page.pattern])
    if (with_children) void query.whereIn('org_id', whereReached(nodes, plan))
    else void query.where('org_id', id)
    const { results, total } = await query.orderBy(['user_id', 'org_id']).page(page.page - 1, page.size)
    const ids = results.map(({ userId }) => userId)
    const users = await names.of(node.tenantId, ids)
    const items = results.map(({ userId, orgId, isPrimary }) => {
      return { user_id: userId, org_id: orgId, is_primary: isPrimary, user: presentUser(userId, users) }
    })
    return presentPage(page, total, items)
  }

  /** Adds users to a node; with `asPrimary` it becomes their primary one. */
  async add(id: number, userIds: readonly number[], asPrimary: boolean, writer: Writer): Promise<void> {
    const unknown = unknownIn('user_ids', 'there is no such user')
    await this.#change(id, userIds, { what: 'members_added', writer, unknown }, async (node, trx) => {
      const { tenantId } = node
      const roles = await rolesThrough(tenantId, [node], trx)
      await this.#parts.authority.requireMayGive(writer.principal, tenantId, roles, trx, { to: userIds })
      await this.#parts.authority.requireMayAdmit(writer.principal, userIds, [node], trx)
      await this.#put(tenantId, userIds, (held) => (asPrimary ? [id, ...held] : [...held, id]), trx)
      await requireFewRoles(tenantId, userIds, trx)
    })
  }

  /** Takes a user from a node, a member or not; 404/4040 when the tenant has no such user. */
  async remove(id: number, userId: number, writer: Writer): Promise<void> {
    const unknown = new NotFoundError()
    await this.#change(id, [userId], { what: 'members_removed', writer, unknown }, async ({ tenantId }, trx) => {
      await this.#put(tenantId, [userId], (all) => all.filter((org) => org !== id), trx)
    })
  }

  async #change(
    id: number,
    userIds: readonly number[],
    { what, writer, unknown }: { readonly what: string; readonly writer: Writer; readonly unknown: Error },
    work: (node: OrgNode, trx: Knex.Transaction) => Promise<void>,
  ): Promise<void> {
    const { principal } = writer
    const { db, access, audit, authority, reach } = this.#parts
    requirePermission(principal, writing)
    await db.transaction(async (trx) => {
      for (const userId of userIds.toSorted((a, b) => a - b)) {
        await this.#memberships.lock(principal.tenantId, userId, trx)
      }
      const node = await reach.findToChange(principal, id, writing, trx)
      const known = await knownUsers(principal.tenantId, userIds, trx)
      if (userIds.some((userId) => !known.has(userId))) throw unknown
      await this.#requireReached(principal, userIds, trx)
      for (const userId of userIds) await authority.requireOver(principal, principal.tenantId, userId, trx)
      await work(node, trx)
      await audit.record(auditEntry(writer, `tenant_org.${what}`, `org:${id}`, { after: { user_ids: userIds } }), trx)
    })
    await access.invalidate(principal.tenantId)
  }

  async #put(
    tenantId: number,
    userIds: readonly number[],
    change: (held: readonly number[]) => readonly number[],
    trx: Knex.Transaction,
  ): Promise<void> {
    const held = await this.#memberships.orgsOf(tenantId, userIds, trx)
    for (const userId of userIds) {
      await this.#memberships.put(tenantId, userId, change(held.get(userId) ?? []), trx)
    }
  }

  /** Refuses users whom the caller could not change before: nobody draws a stranger into their own nodes. */
  async #requireReached(principal: Principal, userIds: readonly number[], trx: Knex.Transaction): Promise<void> {
    const plan = await this.#parts.reach.planOf(principal, writing, trx)
    if (plan.kind === 'all') return
    const orgIds = plan.kind === 'filter' ? plan.orgIds : []
    const rows = await UserOrg.of(principal.tenantId, trx)
      .whereIn('user_id', userIds)
      .whereRaw('org_id = any(?::int[])', [[...orgIds]])
    const reached = new Set([principal.userId, ...rows.map(({ userId }) => userId)])
    if (userIds.some((userId) => !reached.has(userId))) throw new DataScopeError()
  }
}
