import type { AttachmentBody, EveryAttachmentBody } from '../../../attachments/wire.ts'

/** A file as lists show one: whose it is stands in those of several people, of which tenant in that of all tenants. */
export type FileRow = AttachmentBody & Partial<Pick<EveryAttachmentBody, 'owner_name' | 'tenant'>>
