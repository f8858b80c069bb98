import type { Knex } from 'knex'
import type { NeutralMessage } from '../../ai/contract.ts'
import { MessageRow } from '../tables.ts'

/** Longer conversations are cut to their end, by messages and by bytes. */
const mostMessages = 400
const mostBytes = 4_194_304

/** The messages from the beginning of a conversation to one of them, oldest first. */
export async function pathTo(
  messageId: string,
  { tenantId, conversationId }: { readonly tenantId: number; readonly conversationId: string },
  db: Knex,
): Promise<readonly MessageRow[]> {
  const { rows } = (await db
    .raw(
      `with recursive path as (
         select id, parent_id, 0 as depth, octet_length(said::text) + octet_length(content) as size from ai_messages where id = ? and conversation_id = ? and tenant_id = ?
         union all
         select above.id, above.parent_id, depth + 1, octet_length(above.said::text) + octet_length(above.content) from ai_messages above join path on above.id = path.parent_id
          where above.tenant_id = ? and depth < ?)
       select id from (select id, depth, sum(size) over (order by depth) as total from path) as sized
        where total <= ? or depth = 0 order by depth desc`,
      [messageId, conversationId, tenantId, tenantId, mostMessages, mostBytes],
    )
    .queryContext({ tenant: tenantId })) as { rows: { id: string }[] }
  const ids = rows.map(({ id }) => id)
  const found = new Map((await MessageRow.of(tenantId, db).whereIn('id', ids)).map((row) => [row.id, row]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** What a model is told of messages: calls that nobody decided on have come to nothing, since each call needs its result. */
export function saidBefore(
  rows: readonly Pick<MessageRow, 'said'>[],
  decided: ReadonlySet<string> = new Set(),
): readonly NeutralMessage[] {
  const messages = rows.flatMap(({ said }) => said)
  const answered = new Set([...decided, ...messages.flatMap(resultsIn)])
  return messages.flatMap((message) => {
    const open = callsIn(message).filter((id) => !answered.has(id))
    const nothing = open.map((callId) => toolResult(callId, 'The user did not confirm this call.', true))
    return [message, ...nothing]
  })
}

/** What a call came to, for the model to read: data, never instructions. */
export function toolResult(callId: string, text: string, isError: boolean): NeutralMessage {
  return { role: 'tool', parts: [{ type: 'tool_result', callId, parts: [{ type: 'text', text }], isError }] }
}

function callsIn({ parts }: NeutralMessage): readonly string[] {
  return parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []))
}

function resultsIn({ parts }: NeutralMessage): readonly string[] {
  return parts.flatMap((part) => (part.type === 'tool_result' ? [part.callId] : []))
}
