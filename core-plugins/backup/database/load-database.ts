import { BackupError } from '../backup-error.ts'
import type { BackupManifest, TableContent } from '../manifest.ts'
import { presentBytes, type Progress } from '../progress.ts'
import type { BackupTarget } from '../target/backup-target.ts'
import { copyIn } from './copy-in.ts'
import type { StoredSchema } from './stored-schema.ts'
import { quoted, type Session } from './session.ts'

/** What a database is loaded with. */
interface Load {
  readonly target: BackupTarget
  readonly manifest: BackupManifest
  readonly schema: StoredSchema
  readonly progress: Progress
}

/** Makes tables and rows in the open transaction; the caller commits. */
export async function loadDatabase({ client }: Session, { target, manifest, schema, progress }: Load): Promise<void> {
  // Functions may name tables that come later.
  await client.query('set local check_function_bodies = off')
  for (const statement of schema.before) await client.query(statement)
  for (const [index, table] of manifest.tables.entries()) {
    const columns = table.columns.length > 0 ? ` (${table.columns.join(', ')})` : ''
    const rows = await copyIn(client, `copy ${quoted(table.name)}${columns} from stdin`, rowsOf(target, table))
    if (rows !== table.rows) throw new BackupError(`${table.name} took ${rows} rows of ${table.rows}`)
    if (rows > 0) progress(`database: ${index + 1}/${manifest.tables.length} ${table.name}, ${rows} rows`)
  }
  for (const { name, last, isCalled } of schema.positions) {
    await client.query('select setval($1::regclass, $2, $3)', [quoted(name), last, isCalled])
  }
  for (const statement of schema.after) await client.query(statement)
  const bytes = manifest.tables.flatMap(({ parts }) => parts).reduce((sum, part) => sum + part.bytes, 0)
  progress(`database: ${manifest.tables.length} tables, ${presentBytes(bytes)} are in`)
}

async function* rowsOf(target: BackupTarget, { parts }: TableContent): AsyncGenerator<Buffer> {
  for (const part of parts) {
    const content = await target.getPart(part)
    if (content.length > 0) yield content
  }
}
