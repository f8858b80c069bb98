import type { QueryBuilder, Model } from 'objection'

// The operators of text_pattern_ops may use the index on paths behind row-level security, where LIKE may not:
// the server does not trust LIKE with rows that the policy has not let through yet. '0' is what follows '/'.
const between = 'path ~>=~ ? and path ~<~ ?'

/** Narrows a query of nodes to those of some subtrees, the roots included; without a path to none. */
export function inSubtrees<Q extends QueryBuilder<Model, unknown>>(query: Q, paths: readonly string[]): Q {
  const outermost = paths
    .toSorted()
    .filter((path, at, all) => !all.slice(0, at).some((other) => path.startsWith(other)))
  if (outermost.length === 0) return query.whereRaw('false')
  void query.where((group) => {
    for (const path of outermost) void group.orWhereRaw(`(${between})`, [path, `${path.slice(0, -1)}0`])
  })
  return query
}

/** The ids in a path, the root first. */
export function idsOf(path: string): readonly number[] {
  return path.split('/').filter(Boolean).map(Number)
}
