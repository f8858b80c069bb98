import type { Knex } from 'knex'
import type { TenantModel } from '#kernel'
import type { TargetSource } from './contract.ts'

/** Names targets of the log by the `name` of the rows of a table. */
export function namesIn(model: typeof TenantModel, db: Knex): TargetSource {
  return async (tenantId, ids) => {
    const rows = await model
      .of(tenantId, db)
      .whereIn('id', [...ids])
      .select('id', 'name')
    return rows as unknown as readonly { readonly id: string; readonly name: string }[]
  }
}
