import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { MessageRow } from '../tables.ts'
import type { CompactMessage } from './types.ts'

/** A conversation is followed so far back. */
const mostMessages = 20_000
/** Of the messages that are read at once; older ones are known by their snapshot alone. */
const mostBytes = 8_388_608

/** A message of a branch, without its text. */
export interface PathEntry {
  readonly id: string
  readonly role: 'user' | 'assistant'
  /** Of all that it says. */
  readonly hash: string
  readonly bytes: number
}

interface Place {
  readonly tenantId: number
  readonly conversationId: string
}

/** The branch that ends with a message, oldest first. */
export async function readPath(
  leafId: string,
  { tenantId, conversationId }: Place,
  db: Knex,
): Promise<readonly PathEntry[]> {
  const { rows } = (await db
    .raw(
      `with recursive path as (
         select id, parent_id, role, ${said('ai_messages')}, 0 as depth from ai_messages
          where id = ? and conversation_id = ? and tenant_id = ?
         union all
         select above.id, above.parent_id, above.role, ${said('above')}, depth + 1
           from ai_messages above join path on above.id = path.parent_id where above.tenant_id = ? and depth < ?)
       select id, role, hash, bytes from path order by depth desc`,
      [leafId, conversationId, tenantId, tenantId, mostMessages],
    )
    .queryContext({ tenant: tenantId })) as { rows: PathEntry[] }
  return rows
}

/** The hash and the size of what a message says, as columns. */
function said(table: string): string {
  const text = `${table}.content || chr(10) || ${table}.said`
  return `encode(sha256(convert_to(${text}, 'UTF8')), 'hex') as hash, octet_length(${text}) as bytes`
}

/** The messages of some entries, in their order: the last of them, as many as can be read at once. */
export async function readMessages(
  entries: readonly PathEntry[],
  tenantId: number,
  db: Knex,
): Promise<readonly CompactMessage[]> {
  let bytes = 0
  const ids = entries
    .toReversed()
    .filter((entry) => (bytes += entry.bytes) <= mostBytes)
    .map(({ id }) => id)
    .reverse()
  const rows = await MessageRow.of(tenantId, db).whereIn('id', ids).select('id', 'role', 'content', 'said')
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** Changes whenever one of them does. */
export function hashOf(entries: readonly PathEntry[]): string {
  const hash = createHash('sha256')
  for (const { id, hash: said } of entries) hash.update(`${id} ${said}\n`)
  return `sha256:${hash.digest('hex')}`
}
