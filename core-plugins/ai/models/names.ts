import type { Knex } from 'knex'
import type { FieldError } from '#kernel'
import { faultOf } from '../faults.ts'
import { ModelNameRow, type ModelRow } from '../tables.ts'

/** Makes these the names of a model: its own and its aliases, each of which no other model of the scope has. Answers what is wrong. */
export async function nameModel(
  { id, tenantId, name, aliases }: Pick<ModelRow, 'id' | 'tenantId' | 'name' | 'aliases'>,
  trx: Knex.Transaction,
): Promise<readonly FieldError[]> {
  const wanted = [...new Set([name, ...aliases])]
  await ModelNameRow.of(tenantId, trx).delete().where({ model_id: id })
  // Of two who want one name at once the second waits here, and then sees it taken.
  await ModelNameRow.of(tenantId, trx)
    .insert(wanted.map((each) => ({ name: each, modelId: id })))
    .onConflict(['tenant_id', 'name'])
    .ignore()
  const rows = (await ModelNameRow.of(tenantId, trx).whereIn('name', wanted)) as readonly ModelNameRow[]
  const taken = new Set(rows.filter(({ modelId }) => modelId !== id).map((row) => row.name))
  return wanted.flatMap((each) => {
    const field = each === name ? 'name' : `aliases[${aliases.indexOf(each)}]`
    return taken.has(each) ? [faultOf(field, 'taken', 'is the name of another model')] : []
  })
}
