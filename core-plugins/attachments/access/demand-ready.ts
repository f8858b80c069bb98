import { AttachmentPendingError, AttachmentQuarantinedError } from '../errors.ts'
import type { Attachment } from '../models.ts'

const soon = { headers: { 'retry-after': '5' } }

/** Throws 409/4094 while the bytes of an attachment may not be given to anybody. */
export function demandReady({ status }: Pick<Attachment, 'status'>): void {
  if (status === 'ready') return
  const details = { status }
  throw status === 'pending'
    ? new AttachmentPendingError({ details, ...soon })
    : new AttachmentQuarantinedError({ details })
}
