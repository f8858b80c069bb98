import type { Knex } from 'knex'
import { MessageRow, type ConversationRow } from '../tables.ts'

/** Bytes of all messages of a page. */
const mostBytes = 4 * 1_048_576

/** Which messages are wanted. */
export interface MessagePageWish {
  readonly limit?: number
  /** Those before this one; the last ones unless given. */
  readonly before?: string
}

/** Messages of a conversation, oldest first: at most so many, and no more than an answer holds, but always one. */
export async function pageOfMessages(
  { id, tenantId }: Pick<ConversationRow, 'id' | 'tenantId'>,
  { limit = 50, before }: MessagePageWish,
  db: Knex,
): Promise<{ readonly rows: readonly MessageRow[]; readonly hasMore: boolean }> {
  const { rows: sized } = (await db
    .raw(
      `select id, sum(octet_length(content) + octet_length(parts) + octet_length(tool_calls) + octet_length(citations)) over (order by id desc)::bigint as size
         from ai_messages where conversation_id = ? and tenant_id = ? and (?::text is null or id < ?)
        order by id desc limit ?`,
      [id, tenantId, before ?? null, before ?? null, limit + 1],
    )
    .queryContext({ tenant: tenantId })) as { rows: readonly { readonly id: string; readonly size: string }[] }
  const shown = sized.filter(({ size }, at) => at === 0 || (at < limit && Number(size) <= mostBytes))
  const rows = await MessageRow.of(tenantId, db)
    .whereIn(
      'id',
      shown.map(({ id: message }) => message),
    )
    .orderBy('id')
  return { rows, hasMore: sized.length > shown.length }
}
