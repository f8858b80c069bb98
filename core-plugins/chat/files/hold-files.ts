import type { Knex } from 'knex'
import type { AttachmentFiles } from '../../attachments/contract.ts'
import { ConversationRow, MessageRow } from '../tables.ts'
import type { ToolCallRecord } from '../run-events.ts'

/** Keeps the files that messages need. */
export type FileHolds = Pick<AttachmentFiles, 'reference' | 'find'>
type References = Pick<FileHolds, 'reference'>

/** Conversations that are deleted with one statement, and such statements in one go. */
const mostAtOnce = 200
const mostRounds = 50

/** Makes these the files that a message needs: while it is there they cannot be deleted. Throws 404/4045. */
export async function holdFiles(
  { id, tenantId }: { readonly id: string; readonly tenantId: number },
  files: readonly string[],
  holds: References,
  trx: Knex.Transaction,
): Promise<void> {
  await holds.reference(tenantId, `chat_message:${id}`, files, trx)
}

/** The same for what tools answered; files that are gone by now are left out. */
export async function holdResults(
  message: { readonly id: string; readonly tenantId: number },
  calls: readonly ToolCallRecord[],
  holds: FileHolds,
  trx: Knex.Transaction,
): Promise<void> {
  const { tenantId } = message
  const there: string[] = []
  for (const { attachment_id: id } of calls)
    if (id !== undefined && (await holds.find({ tenantId, id }, undefined, trx))) there.push(id)
  if (there.length > 0) await holdFiles(message, there, holds, trx)
}

/** Deletes conversations that were deleted by their users before a moment, and lets go of their files. */
export async function purgeConversations(before: Knex.Raw, holds: References, db: Knex): Promise<void> {
  for (let round = 0; round < mostRounds; round++) {
    const count = await db.transaction(async (trx) => {
      // Another host is at those that are locked.
      const rows = await ConversationRow.acrossTenants(trx)
        .where('deleted_at', '<', before)
        .limit(mostAtOnce)
        .select('id')
        .forUpdate()
        .skipLocked()
      const ids = rows.map(({ id }) => id)
      if (ids.length === 0) return 0
      const holding = await MessageRow.acrossTenants(trx)
        .whereIn('conversation_id', ids)
        .where((some) => void some.whereNot({ parts: '[]' }).orWhereLike('tool_calls', '%"attachment_id"%'))
        .select('id', 'tenant_id')
      for (const message of holding) await holdFiles(message, [], holds, trx)
      return ConversationRow.acrossTenants(trx).whereIn('id', ids).delete()
    })
    if (count < mostAtOnce) return
  }
}
