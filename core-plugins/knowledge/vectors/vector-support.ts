import type { Knex } from 'knex'
import type { Logger } from '#kernel'

/** Whether the database has pgvector: made here, there but to be made by a superuser, or not installed. */
type VectorState = 'available' | 'not_created' | 'absent'

/** Asks the database for pgvector, and makes the extension where this role may. */
export async function findVectorSupport(db: Knex, log: Logger): Promise<VectorState> {
  if (await isMade(db)) return 'available'
  const { rows } = await db.raw<{ rows: object[] }>(`select 1 from pg_available_extensions where name = 'vector'`)
  if (rows.length === 0) return 'absent'
  try {
    await db.raw('create extension if not exists vector')
  } catch (error) {
    // Another host may have been faster.
    if (await isMade(db)) return 'available'
    log.warn({ err: error }, 'pgvector is installed and not made: "create extension vector" wants a superuser here')
    return 'not_created'
  }
  return 'available'
}

async function isMade(db: Knex): Promise<boolean> {
  const { rows } = await db.raw<{ rows: object[] }>(`select 1 from pg_extension where extname = 'vector'`)
  return rows.length > 0
}
