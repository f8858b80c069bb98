import { createHash } from 'node:crypto'
import { BackupError } from '../backup-error.ts'
import { texts } from '../texts/texts.ts'
import type { TableContent, TablePart } from '../manifest.ts'
import type { BackupTarget } from '../target/backup-target.ts'
import { CopyOut } from './copy-out.ts'
import type { DumpedTable } from './schema-tables.ts'
import { quoted, type Session } from './session.ts'

/** What is held of a table at once; a part ends with a row, so a longer row makes a longer part. */
const partBytes = 8 * 1_048_576
const lineEnd = 10

/** Sends the rows of a table in parts; throws when they are not as many as the same snapshot counts. */
export async function dumpTable(
  { client }: Session,
  { name, columns }: DumpedTable,
  target: BackupTarget,
): Promise<TableContent> {
  const hash = createHash('sha256')
  const parts: TablePart[] = []
  const copy = client.query(new CopyOut(copyOutOf(name, columns)))
  for await (const { content, rows } of inParts(copy)) {
    hash.update(content)
    const { sha256, bytes } = await target.putPart(content)
    parts.push({ sha256, bytes, rows })
  }
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  const counted = await client.query<{ rows: string }>(`select count(*) as rows from ${quoted(name)}`)
  if (rows !== copy.rows || rows !== Number(counted.rows[0]?.rows)) {
    throw new BackupError(
      texts.keep('notice.backup_rows_missing', {
        ...{ table: name, rows: counted.rows[0]?.rows ?? 0, came: rows },
      }),
    )
  }
  return { name, columns, rows, sha256: hash.digest('hex'), parts }
}

/** The statement that writes a table's rows down, in their order. */
export function copyOutOf(table: string, columns: readonly string[]): string {
  // A table without columns has rows all the same.
  return `copy ${quoted(table)}${columns.length > 0 ? ` (${columns.join(', ')})` : ''} to stdout`
}

async function* inParts(
  rows: AsyncIterable<Buffer>,
): AsyncGenerator<{ readonly content: Buffer; readonly rows: number }> {
  let held: Buffer[] = []
  let size = 0
  for await (const chunk of rows) {
    held.push(chunk)
    size += chunk.length
    if (size < partBytes || chunk.at(-1) !== lineEnd) continue
    yield partOf(held)
    held = []
    size = 0
  }
  if (size > 0) yield partOf(held)
}

/** In the text form of COPY every row ends with a line end, and none has one within. */
function partOf(held: readonly Buffer[]): { readonly content: Buffer; readonly rows: number } {
  const content = Buffer.concat(held)
  let rows = 0
  for (let at = content.indexOf(lineEnd); at >= 0; at = content.indexOf(lineEnd, at + 1)) rows++
  return { content, rows }
}
