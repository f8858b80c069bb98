import type { Knex } from 'knex'
import { raw } from 'objection'
import { Role } from '../records/role-models.ts'

/** Strips every permission that begins like this, in every tenant; answers how many roles changed. */
export async function removePermissions(prefix: string, trx: Knex.Transaction): Promise<number> {
  const start = prefix.replace(/\*$/, '')
  return Role.acrossTenants(trx)
    .patch({
      permissions: raw(
        'array(select held from unnest(permissions) with ordinality as p(held, place) where not starts_with(held, ?) order by place)',
        start,
      ),
      updatedAt: new Date(),
    })
    .whereRaw('exists (select 1 from unnest(permissions) as held where starts_with(held, ?))', start)
}

/** How many roles hold a permission that begins like this, in every tenant. */
export async function countPermissions(prefix: string, db: Knex): Promise<number> {
  return Role.acrossTenants(db)
    .whereRaw('exists (select 1 from unnest(permissions) as held where starts_with(held, ?))', prefix)
    .resultSize()
}
