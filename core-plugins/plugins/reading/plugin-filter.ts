import type { Page } from '#kernel'
import type { QueryBuilder } from 'objection'
import type { PluginRow, PluginStatus } from '../shared/models.ts'

/** Which plugins a list shows. */
export interface PluginFilter {
  readonly status?: PluginStatus | 'removing' | undefined
  readonly scope?: 'platform' | 'tenant' | undefined
  readonly trust?: string | undefined
  /** An index source, or `upload` for what administrators uploaded. */
  readonly source?: string | undefined
  readonly ids?: readonly number[] | undefined
}

/** How an uploaded plugin's source is called in a filter. */
export const uploaded = 'upload'

/** Narrows a query over plugins; the search looks at names and at titles in every language. */
export function filterPlugins<Q extends QueryBuilder<PluginRow, unknown>>(
  query: Q,
  { status, scope, trust, source, ids }: PluginFilter,
  { pattern }: Pick<Page, 'pattern'>,
): Q {
  if (status === 'removing') void query.where({ removing: true })
  else if (status !== undefined) void query.where({ removing: false, status })
  if (scope !== undefined) void query.where({ scope })
  if (source !== undefined) void query.where({ source: source === uploaded ? null : source })
  if (trust !== undefined) {
    void query.whereRaw('exists (select 1 from plugin_releases r where r.id = active_release and r.trust = ?)', [trust])
  }
  if (ids !== undefined) void query.whereIn('id', [...ids])
  if (pattern !== undefined) {
    const inTitle = `exists (select 1 from plugin_releases r, jsonb_each_text(r.manifest -> 'title') title
      where r.id = active_release and title.value ilike ?)`
    void query.where((either) => void either.whereILike('name', pattern).orWhereRaw(inTitle, [pattern]))
  }
  return query
}
