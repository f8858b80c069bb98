import type { Knex } from 'knex'
import type { Page, Principal } from '#kernel'
import type { Access, Audit, Writer } from '../contract.ts'
import { OrgCodeTakenError, OrgInUseError, OrgTooDeepError } from '../errors.ts'
import type { Authority } from '../authority/authority.ts'
import { rethrowTaken } from '../rethrow-taken.ts'
import { Role } from '../records/role-models.ts'
import { auditEntry } from '../audit-entry.ts'
import { knownUsers } from './known-users.ts'
import { lockTree } from '../records/lock-tree.ts'
import { OrgNode, UserOrg } from '../records/org-models.ts'
import { listOrgs, type OrgFilter } from './org-list.ts'
import { unknownIn, type OrgReach } from './org-reach.ts'
import { presentOrg, type PresentedOrg } from './present.ts'
import { countBelow, type OrgCounts } from './count-below.ts'
import { rolesThrough } from '../records/roles-through.ts'

/** How many levels a tree has at most; a path of so many ids stays short. */
export const depthLimit = 32

const takenCode = rethrowTaken('access_orgs_tenant_id_code_unique', 'code', OrgCodeTakenError)

/** What the organisation stands on. */
export interface OrgParts {
  readonly db: Knex
  readonly access: Pick<Access, 'invalidate'>
  readonly audit: Audit
  readonly authority: Authority
  readonly reach: OrgReach
}

/** What may be said of a node. */
interface OrgChange {
  readonly name?: string
  readonly code?: string | null
  readonly sort?: number
  readonly leader_id?: number | null
  readonly status?: 'active' | 'disabled'
}

/** The nodes of a tenant's organisation. */
export class OrgService {
  readonly #parts: OrgParts

  constructor(parts: OrgParts) {
    this.#parts = parts
  }

  list(principal: Principal, page: Page, filter: OrgFilter) {
    return listOrgs(this.#parts.db, this.#parts.reach, principal, page, filter)
  }

  /** A node, and with `isCounted` how many nodes and people it and all below it are. */
  async get(principal: Principal, id: number, isCounted = false): Promise<PresentedOrg & { counts?: OrgCounts }> {
    const { reach, db } = this.#parts
    const node = await reach.find(principal, id, 'tenant_org:detail', db)
    if (!isCounted) return presentOrg(node)
    const plan = await reach.planOf(principal, 'tenant_org:detail')
    return { ...presentOrg(node), counts: await countBelow(node, plan, db) }
  }

  async create(
    { parent_id: parentId = null, ...change }: OrgChange & { name: string; parent_id?: number | null },
    writer: Writer,
  ): Promise<PresentedOrg> {
    const { tenantId } = writer.principal
    const { reach } = this.#parts
    return this.#write(writer, async (trx) => {
      await lockTree(tenantId, trx, 'shared')
      const parent = await reach.findParent(writer.principal, parentId, 'tenant_org:create', trx)
      const depth = (parent?.depth ?? 0) + 1
      if (depth > depthLimit) throw new OrgTooDeepError({ limit: depthLimit })
      await requireLeader(tenantId, change.leader_id, trx)
      const id = await reserveId(trx)
      const path = `${parent?.path ?? '/'}${id}/`
      const node = await OrgNode.of(tenantId, trx)
        .insert({ id, parentId, path, depth, ...columnsOf(change) })
        .returning('*')
        .catch(takenCode)
      const after = presentOrg(node)
      await this.#parts.audit.record(auditEntry(writer, 'tenant_org.created', `org:${id}`, { after }), trx)
      return after
    })
  }

  async update(id: number, change: OrgChange, writer: Writer): Promise<PresentedOrg> {
    const { tenantId } = writer.principal
    const { reach, authority, audit } = this.#parts
    return this.#write(writer, async (trx) => {
      await lockTree(tenantId, trx, change.status === undefined ? 'shared' : 'exclusive')
      const node = await reach.findToChange(writer.principal, id, 'tenant_org:update', trx)
      await requireLeader(tenantId, change.leader_id, trx)
      if (change.status !== undefined && change.status !== node.status) {
        // Members of a disabled node get nothing through it, and again when it is active.
        await authority.requireMayGive(writer.principal, tenantId, await rolesThrough(tenantId, [node], trx), trx)
      }
      const updated = await OrgNode.of(tenantId, trx)
        .patchAndFetchById(id, { ...columnsOf(change), updatedAt: new Date() })
        .catch(takenCode)
      const [before, after] = [presentOrg(node), presentOrg(updated)]
      await audit.record(auditEntry(writer, 'tenant_org.updated', `org:${id}`, { before, after }), trx)
      return after
    })
  }

  async delete(id: number, writer: Writer): Promise<void> {
    const { tenantId } = writer.principal
    const { reach, audit } = this.#parts
    await this.#write(writer, async (trx) => {
      await lockTree(tenantId, trx)
      const node = await reach.findToChange(writer.principal, id, 'tenant_org:delete', trx)
      const [children, members, roles] = await Promise.all([
        OrgNode.of(tenantId, trx).where('parent_id', id).resultSize(),
        UserOrg.of(tenantId, trx).where('org_id', id).resultSize(),
        rolesSeeingBy(tenantId, id, trx),
      ])
      if (children + members + roles > 0) throw new OrgInUseError({ details: { by: { children, members, roles } } })
      await OrgNode.of(tenantId, trx).deleteById(id)
      const entry = auditEntry(writer, 'tenant_org.deleted', `org:${id}`, { before: presentOrg(node) })
      await audit.record(entry, trx)
    })
  }

  async #write<T>({ principal }: Writer, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    const result = await this.#parts.db.transaction(work)
    await this.#parts.access.invalidate(principal.tenantId)
    return result
  }
}

function columnsOf({ leader_id: leaderId, ...change }: OrgChange): Partial<OrgNode> {
  return { ...change, ...(leaderId !== undefined && { leaderId }) }
}

async function requireLeader(tenantId: number, id: number | null | undefined, trx: Knex.Transaction): Promise<void> {
  if (id === null || id === undefined) return
  if (!(await knownUsers(tenantId, [id], trx)).has(id)) throw unknownIn('leader_id', 'there is no such user')
}

/** The path of a node has its id in it, so the id comes first. */
async function reserveId(trx: Knex.Transaction): Promise<number> {
  const next = `select nextval(pg_get_serial_sequence('access_orgs', 'id')) as id`
  return Number((await trx.raw<{ rows: [{ id: string }] }>(next)).rows[0].id)
}

/** How many roles name the node in a CUSTOM scope. */
function rolesSeeingBy(tenantId: number, id: number, trx: Knex.Transaction): Promise<number> {
  const named = `select jsonb_path_query(jsonb_build_array(data_scope_orgs, data_scopes), '$.**.org_ids[*]')`
  return Role.of(tenantId, trx).whereRaw(`to_jsonb(?::int) in (${named})`, [id]).resultSize()
}
