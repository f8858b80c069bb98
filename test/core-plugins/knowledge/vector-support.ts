import assert from 'node:assert/strict'
import type { Knex } from 'knex'

/** Whether the run has a PostgreSQL of its own, rather than the embedded one. */
const hasServer = Boolean(process.env['STOA_TEST_DATABASE_URL'])

/** Declares a test of vectors: on the embedded database, which has no pgvector, there is nothing of it to test. */
export function itWithVectors(title: string, test: () => Promise<void>): Mocha.Test | undefined {
  return hasServer ? it(title, test) : undefined
}

/** Whether the database has pgvector; fails where the run has a server of its own, which must have it. */
export async function demandVectors(db: Knex): Promise<boolean> {
  const { rows } = await db.raw<{ rows: object[] }>(`select 1 from pg_extension where extname = 'vector'`)
  const isThere = rows.length > 0
  if (hasServer) assert.ok(isThere, 'the test server has no pgvector: .ci/install-pgvector')
  return isThere
}
