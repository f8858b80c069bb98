import type { Knex } from 'knex'
import { RoleAboveCallerError, RoleHeldInPersonError } from '../errors.ts'
import { findRoles } from '../authority/assignments.ts'
import { requireFewRoles } from '../grants/held-roles.ts'
import { Role } from '../records/role-models.ts'
import { isHeldInPerson } from '../records/system-roles.ts'
import { auditEntry } from '../audit-entry.ts'
import type { Writer } from '../contract.ts'
import { lockTree } from '../records/lock-tree.ts'
import { membersBelow } from './members-below.ts'
import { OrgRole, type OrgNode } from '../records/org-models.ts'
import type { OrgParts } from './org-service.ts'
import { idsOf } from '../records/subtree.ts'

/** A role that a node is to give. */
interface Binding {
  readonly code: string
  /** Whether the members of nodes below get it too; they do unless this says otherwise. */
  readonly inherit?: boolean
}

/** The roles that nodes give to their members. */
export class OrgRoles {
  readonly #parts: OrgParts

  constructor(parts: OrgParts) {
    this.#parts = parts
  }

  /** What a node gives itself, and what it passes on from the nodes above. */
  async list({ principal }: Writer, id: number) {
    const node = await this.#parts.reach.find(principal, id, 'tenant_org:detail', this.#parts.db)
    return this.#present(node, this.#parts.db)
  }

  /** Makes these the roles that a node gives itself. */
  async replace(id: number, wanted: readonly Binding[], writer: Writer) {
    const { principal } = writer
    const { db, access, audit, reach } = this.#parts
    const after = await db.transaction(async (trx) => {
      await lockTree(principal.tenantId, trx)
      const node = await reach.findToChange(principal, id, 'tenant_org:update', trx)
      const before = await this.#present(node, trx)
      await this.#put(node, wanted, writer, trx)
      const presented = await this.#present(node, trx)
      const change = { before: before.items, after: presented.items }
      await audit.record(auditEntry(writer, 'tenant_org.roles_updated', `org:${id}`, change), trx)
      return presented
    })
    await access.invalidate(principal.tenantId)
    return after
  }

  async #put(node: OrgNode, wanted: readonly Binding[], { principal }: Writer, trx: Knex.Transaction): Promise<void> {
    const { tenantId, id: orgId } = node
    const inherit = new Map(wanted.map((binding) => [binding.code, binding.inherit ?? true]))
    const roles = await findRoles(tenantId, [...inherit.keys()], trx)
    const inPerson = roles.find(({ code }) => isHeldInPerson(code))
    if (inPerson) throw new RoleHeldInPersonError({ role: inPerson.code })
    const bound = await OrgRole.of(tenantId, trx).where('org_id', orgId)
    const rows = roles.map(({ id, code }) => ({ tenantId, orgId, roleId: id, inherit: inherit.get(code) ?? true }))
    const isSame = (one: (typeof rows)[number], other: OrgRole): boolean =>
      one.roleId === other.roleId && one.inherit === other.inherit
    const added = rows.filter((row) => !bound.some((other) => isSame(row, other)))
    const removed = bound.filter((other) => !rows.some((row) => isSame(row, other)))
    await this.#requireMayBind(
      [...added, ...removed].map(({ roleId }) => roleId),
      { node, principal },
      trx,
    )
    await OrgRole.of(tenantId, trx).delete().where('org_id', orgId)
    if (rows.length > 0) await OrgRole.of(tenantId, trx).insert(rows)
    if (added.length > 0) await requireFewRoles(tenantId, await membersBelow(tenantId, node.path, trx), trx)
  }

  async #requireMayBind(
    roleIds: readonly number[],
    { node: { tenantId, path }, principal }: Pick<Writer, 'principal'> & { readonly node: OrgNode },
    trx: Knex.Transaction,
  ): Promise<void> {
    if (roleIds.length === 0) return
    const permission = 'tenant_role:assign'
    if (!principal.can(permission)) throw new RoleAboveCallerError({ permission }, { details: { permission } })
    const roles = await Role.of(tenantId, trx).whereIn('id', roleIds)
    const to = [principal.userId, ...(await membersBelow(tenantId, path, trx))]
    await this.#parts.authority.requireMayGive(principal, tenantId, roles, trx, { to })
  }

  async #present(node: OrgNode, db: Knex) {
    const bound = await OrgRole.of(node.tenantId, db).whereIn('org_id', idsOf(node.path)).orderBy(['org_id', 'role_id'])
    const ids = bound.map(({ roleId }) => roleId)
    const roles = new Map((await Role.of(node.tenantId, db).whereIn('id', ids)).map((role) => [role.id, role]))
    const shown = bound.flatMap(({ orgId, roleId, inherit }) => {
      const role = roles.get(roleId)
      return role ? [{ org_id: orgId, id: roleId, code: role.code, name: role.name, status: role.status, inherit }] : []
    })
    return {
      items: shown.filter(({ org_id: orgId }) => orgId === node.id),
      inherited: shown.filter(({ org_id: orgId, inherit }) => orgId !== node.id && inherit),
    }
  }
}
