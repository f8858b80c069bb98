import { defineEvent } from '#kernel'

/** No attachment has these bytes any more, and they are deleted: what was made from them may go too. */
export const attachmentsForgotten = defineEvent<{
  readonly tenantId: number
  /** SHA-256, hexadecimal. Another tenant may have the same bytes. */
  readonly hash: string
}>('attachments.forgotten')
