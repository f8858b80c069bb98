import type { Knex } from 'knex'
import { raw } from 'objection'
import { DataScopeError } from '#kernel'
import { OrgCycleError, OrgTooDeepError } from '../errors.ts'
import { requireFewRoles } from '../grants/held-roles.ts'
import { auditEntry } from '../audit-entry.ts'
import type { Writer } from '../contract.ts'
import { lockTree } from '../records/lock-tree.ts'
import { membersBelow } from './members-below.ts'
import { OrgNode } from '../records/org-models.ts'
import { covers } from './org-reach.ts'
import { depthLimit, type OrgParts } from './org-service.ts'
import { presentOrg, type PresentedOrg } from './present.ts'
import { rolesThrough } from '../records/roles-through.ts'
import { inSubtrees } from '../records/subtree.ts'

const permission = 'tenant_org:move'

/** Where a node goes: under another one, or with null to the top. */
interface OrgMove {
  readonly parent_id: number | null
  readonly sort?: number
}

/** Moves a node with everything below it; one move of a tenant after the other. */
export async function moveOrg(parts: OrgParts, id: number, move: OrgMove, writer: Writer): Promise<PresentedOrg> {
  const { tenantId } = writer.principal
  const after = await parts.db.transaction(async (trx) => {
    await lockTree(tenantId, trx)
    const node = await parts.reach.findToChange(writer.principal, id, permission, trx)
    if (move.parent_id !== node.parentId) await reparent(parts, node, move.parent_id, writer, trx)
    const moved = await OrgNode.of(tenantId, trx).patchAndFetchById(id, {
      ...(move.sort !== undefined && { sort: move.sort }),
      updatedAt: new Date(),
    })
    const change = { before: presentOrg(node), after: presentOrg(moved) }
    await parts.audit.record(auditEntry(writer, 'tenant_org.moved', `org:${id}`, change), trx)
    return change.after
  })
  await parts.access.invalidate(tenantId)
  return after
}

async function reparent(
  { reach, authority }: OrgParts,
  node: OrgNode,
  parentId: number | null,
  { principal }: Writer,
  trx: Knex.Transaction,
): Promise<void> {
  const { tenantId } = principal
  // What is taken out of a subtree is taken from whoever reaches that one.
  if (!covers(await reach.planOf(principal, permission, trx), node.parentId)) throw new DataScopeError()
  const parent = await reach.findParent(principal, parentId, permission, trx)
  if (parent?.path.startsWith(node.path)) throw new OrgCycleError()
  await requireDepth(node, (parent?.depth ?? 0) + 1 - node.depth, trx)
  const before = await authority.sightOf(principal, trx)
  const path = `${parent?.path ?? '/'}${node.id}/`
  const [lost, gained] = await Promise.all(
    [node.path, path].map((way) => rolesThrough(tenantId, [{ id: node.id, path: way }], trx)),
  )
  const staying = new Set(gained?.filter(({ id }) => lost?.some((role) => role.id === id)).map(({ id }) => id))
  const changed = [...(lost ?? []), ...(gained ?? [])].filter(({ id }) => !staying.has(id))
  const to = await membersBelow(tenantId, node.path, trx)
  await authority.requireMayGive(principal, tenantId, changed, trx, { to })
  await OrgNode.of(tenantId, trx).patch({ parentId }).where('id', node.id)
  await inSubtrees(OrgNode.of(tenantId, trx), [node.path]).patch({
    path: raw('? || substr(path, ?)', [path, node.path.length + 1]),
    depth: raw('depth + ?', [(parent?.depth ?? 0) + 1 - node.depth]),
  })
  // Under a node of the own, a role might show what it did not before.
  await authority.requireNoMoreSight(principal, before, trx)
  if (gained && gained.length > 0) await requireFewRoles(tenantId, await membersBelow(tenantId, path, trx), trx)
}

async function requireDepth(node: OrgNode, added: number, trx: Knex.Transaction): Promise<void> {
  const deepest = await inSubtrees(OrgNode.of(node.tenantId, trx), [node.path]).orderBy('depth', 'desc').first()
  if ((deepest?.depth ?? node.depth) + added > depthLimit) throw new OrgTooDeepError({ limit: depthLimit })
}
