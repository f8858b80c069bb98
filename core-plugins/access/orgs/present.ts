import type { OrgNode } from '../records/org-models.ts'

/** A node as the wire shows it. */
export interface PresentedOrg {
  readonly id: number
  readonly parent_id: number | null
  readonly code: string | null
  readonly name: string
  readonly path: string
  readonly depth: number
  readonly sort: number
  readonly leader_id: number | null
  readonly status: string
  readonly created_at: string
  readonly updated_at: string
}

/** A node of a list, which also says whether there is something below it that the caller sees. */
interface ListedOrg extends PresentedOrg {
  readonly has_children: boolean
  readonly children: readonly ListedOrg[]
}

/** A node by itself. */
export function presentOrg(node: OrgNode): PresentedOrg {
  return {
    id: node.id,
    parent_id: node.parentId,
    code: node.code,
    name: node.name,
    path: node.path,
    depth: node.depth,
    sort: node.sort,
    leader_id: node.leaderId,
    status: node.status,
    created_at: node.createdAt.toISOString(),
    updated_at: node.updatedAt.toISOString(),
  }
}

/** Nodes as a tree, in the order given; one whose parent is not among them stands at the top. */
export function presentTree(nodes: readonly OrgNode[]): readonly ListedOrg[] {
  const ids = new Set(nodes.map(({ id }) => id))
  const below = Map.groupBy(nodes, ({ parentId }) => (parentId !== null && ids.has(parentId) ? parentId : null))
  const branch = (parent: number | null): readonly ListedOrg[] =>
    (below.get(parent) ?? []).map((node) => {
      const children = branch(node.id)
      return { ...presentOrg(node), has_children: children.length > 0, children }
    })
  return branch(null)
}
