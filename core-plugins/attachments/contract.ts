import { defineEvent } from '#kernel'

export { type AttachmentFile, type AttachmentFiles, attachmentFiles } from './contract-files.ts'

/** It is known what became of a file that was uploaded: it can be read, or was quarantined. */
export const attachmentsSettled = defineEvent<{
  readonly tenantId: number
  /** Whose it is. */
  readonly userId: number
  readonly id: string
  readonly status: 'ready' | 'quarantined'
}>('attachments.settled')
