import type { Knex } from 'knex'
import { createSecretBox } from '#kernel'

/** Something sealed in the database, and where it stands. */
export interface FoundSecret {
  readonly table: string
  readonly column: string
  readonly token: string
}

/** Everything that looks sealed in any column of any table, whoever declared it. */
export async function findSecrets(db: Knex): Promise<readonly FoundSecret[]> {
  const { rows } = await db.raw<{ rows: readonly { table: string; column: string }[] }>(
    `select table_name as "table", column_name as "column" from information_schema.columns
      where table_schema = current_schema() and data_type in ('text', 'jsonb', 'ARRAY', 'character varying')`,
  )
  const found = await Promise.all(rows.map((place) => secretsIn(db, place)))
  return found.flat()
}

/** Whether this key alone opens a token. */
export function opensWith(key: string, token: string): boolean {
  try {
    createSecretBox({ fernetKeys: [key], appSecret: '' }).open(token)
    return true
  } catch {
    return false
  }
}

async function secretsIn(db: Knex, { table, column }: Omit<FoundSecret, 'token'>): Promise<readonly FoundSecret[]> {
  const rows = (await db(table)
    .select(db.raw('??::text as text', [column]))
    .whereRaw('??::text like ?', [column, '%gAAAA%'])
    .queryContext({ tenant: 'all' })) as readonly { text: string }[]
  const tokens = rows.flatMap(({ text }) => text.match(/gAAAA[\w-]{92,}={0,2}/g) ?? [])
  return tokens.map((token) => ({ table, column, token }))
}
