import type { Knex } from 'knex'
import type { TenantModel } from '#kernel'

/** What things of one kind are called, by the ids that stand in targets of the log; those that are gone are absent. */
export type TargetSource = (
  tenantId: number,
  ids: readonly string[],
  locale: string,
) => Promise<readonly { readonly id: string | number; readonly name: string }[]>

/** The ids of targets that a column of numbers can hold; a target may say anything. */
export function numbersOf(ids: readonly string[]): readonly number[] {
  return ids.map(Number).filter((id) => Number.isInteger(id) && id > 0 && id <= 2_147_483_647)
}

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
