import { isDeepStrictEqual } from 'node:util'
import { BackupError } from '../backup-error.ts'
import { texts } from '../texts/texts.ts'
import { readSchema, type DumpedSchema } from './schema.ts'
import { openSession, quoted, type Session } from './session.ts'

const lockNotAvailable = '55P03'
const undefinedTable = '42P01'
const tries = 5

/** One moment of the database, kept in a transaction that only reads; nobody changes its tables meanwhile, all may write rows. */
export interface DatabaseSnapshot extends AsyncDisposable {
  readonly session: Session
  readonly schema: DumpedSchema
}

/** Takes a snapshot; one that a change of tables crossed is taken again. */
export async function takeSnapshot(url: string): Promise<DatabaseSnapshot> {
  for (let left = tries; ; left--) {
    const snapshot = await tryOnce(url)
    if (snapshot) return snapshot
    if (left === 1) throw new BackupError(texts.keep('notice.backup_tables_change'))
  }
}

async function tryOnce(url: string): Promise<DatabaseSnapshot | undefined> {
  await using opening = new AsyncDisposableStack()
  const session = opening.use(await openSession(url, 'stoa-backup'))
  const { client, schema: name } = session
  await client.query('begin isolation level repeatable read read only')
  const schema = await readSchema(client, name)
  try {
    if (schema.tables.length > 0) {
      await client.query(
        `lock table ${schema.tables.map((table) => quoted(table.name)).join(', ')} in access share mode`,
      )
    }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === lockNotAvailable || code === undefinedTable) return undefined
    throw error
  }
  if (!(await isAsNow(url, schema))) return undefined
  const opened = opening.move()
  return { session, schema, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Whether nothing changed between the snapshot and the locks; tables that are newer than the snapshot do not count. */
async function isAsNow(url: string, then: DumpedSchema): Promise<boolean> {
  await using other = await openSession(url, 'stoa-backup')
  const now = await readSchema(other.client, other.schema)
  const known = new Set(then.tables.map(({ name }) => name))
  const statements = new Set([...now.before, ...now.after])
  return (
    isDeepStrictEqual(
      then.tables,
      now.tables.filter(({ name }) => known.has(name)),
    ) && [...then.before, ...then.after].every((statement) => statements.has(statement))
  )
}
