import type { BodyOf } from '#kernel/schemas'
import type { attachmentBody, everyBody } from './records/schemas.ts'

/** An attachment. */
export type AttachmentBody = BodyOf<typeof attachmentBody>
/** The same in the list of everybody's. */
export type EveryAttachmentBody = BodyOf<typeof everyBody>
