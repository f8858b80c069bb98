import type { Knex } from 'knex'
import { AttachmentInUseError, AttachmentNotFoundError } from '../errors.ts'
import { Attachment, AttachmentReference } from '../models.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Of holders that are told to whoever may not delete. */
const mostTold = 20

/** Makes these, and no others, the attachments that a holder needs; throws 404/4045 for one that is not there. */
export async function setReferences(
  trx: Knex.Transaction,
  tenantId: number,
  holder: string,
  given: readonly string[],
): Promise<void> {
  const ids = [...new Set(given.map((id) => id.toLowerCase()))].sort()
  if (!ids.every((id) => uuid.test(id))) throw new AttachmentNotFoundError()
  await AttachmentReference.of(tenantId, trx).where({ holder }).whereNotIn('attachment_id', ids).delete()
  if (ids.length === 0) return
  // Whoever deletes one of them locks its row, and finds the reference or has been faster.
  const there = await Attachment.of(tenantId, trx).whereIn('id', ids).orderBy('id').forKeyShare().select('id')
  if (there.length !== ids.length) throw new AttachmentNotFoundError()
  await Attachment.of(tenantId, trx).whereIn('id', ids).whereNotNull('expires_at').patch({ expiresAt: null })
  const rows = ids.map((attachmentId) => ({ attachmentId, holder }))
  await AttachmentReference.of(tenantId, trx).insert(rows).onConflict(['tenant_id', 'holder', 'attachment_id']).ignore()
}

/** Throws 409/4095 while somebody needs an attachment, whose row is locked by whoever asks. */
export async function demandUnused(trx: Knex.Transaction, { id, tenantId }: Pick<Attachment, 'id' | 'tenantId'>) {
  const held = await AttachmentReference.of(tenantId, trx).where({ attachment_id: id }).limit(mostTold)
  if (held.length > 0) throw new AttachmentInUseError({ details: { by: held.map(({ holder }) => holder) } })
}

/** Forgets who needed an attachment that goes all the same. */
export async function dropReferencesTo(
  trx: Knex.Transaction,
  { id, tenantId }: Pick<Attachment, 'id' | 'tenantId'>,
): Promise<void> {
  await AttachmentReference.of(tenantId, trx).where({ attachment_id: id }).delete()
}
