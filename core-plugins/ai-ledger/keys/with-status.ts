import type { QueryBuilderType } from 'objection'
import type { Page } from '#kernel'
import type { KeyRow } from './key-model.ts'
import type { KeyStatus } from './present.ts'

const isOver = 'ai_api_keys.expires_at is not null and ai_api_keys.expires_at <= now()'
/** Two secrets of it are good. */
const isRotating = `(select count(*) from ai_api_key_secrets s
  where s.key_id = ai_api_keys.id and (s.not_after is null or s.not_after > now())) > 1`

const conditions: Readonly<Record<Exclude<KeyStatus, 'disabled'>, string>> = {
  expired: isOver,
  rotating: `not (${isOver}) and ${isRotating}`,
  active: `not (${isOver}) and not (${isRotating})`,
}

/** What a key is shown with. */
const shown = `case when ai_api_keys.status = 'disabled' then 'disabled' when ${isOver} then 'expired'
  when ${isRotating} then 'rotating' else 'active' end`

/** Orders keys as a page asks for them: by the status that they are shown with, not by the one that is stored. */
export function sortKeys(query: QueryBuilderType<KeyRow>, sort: Page['sort']): void {
  for (const { column, order } of sort) {
    if (column === 'status') void query.orderByRaw(`${shown} ${order}`)
    else void query.orderBy(column, order)
  }
  void query.orderBy('id')
}

/** Leaves those keys that are shown with this status. */
export function withStatus(query: QueryBuilderType<KeyRow>, status: KeyStatus): void {
  void query.where({ status: status === 'disabled' ? 'disabled' : 'active' })
  if (status !== 'disabled') void query.whereRaw(conditions[status])
}
