import type { Principal } from '#kernel'
import type { AttachmentFiles } from '../../attachments/contract.ts'
import { refuseFaults } from '../faults.ts'
import type { KnowledgeDocumentRow } from '../tables.ts'

/** A document to be added. */
export interface NewDocument {
  readonly title?: string
  readonly text?: string
  readonly format?: 'text' | 'markdown' | 'html'
  readonly attachment_id?: string
  readonly url?: string
}

const types = { text: 'text/plain', markdown: 'text/markdown', html: 'text/html' } as const
const longestTitle = 300

/** What a row has of a document to be added. Throws 422/4229 for a file that its adder cannot read and for what is no address. */
export async function documentColumns(
  wish: NewDocument,
  tenantId: number,
  by: Principal,
  files: Pick<AttachmentFiles, 'find'>,
): Promise<Partial<KnowledgeDocumentRow> & Pick<KnowledgeDocumentRow, 'title' | 'source'>> {
  const { title, text, format = 'text', attachment_id: attachmentId, url } = wish
  if (attachmentId !== undefined) {
    const file = await readableFile({ tenantId, id: attachmentId }, by, files)
    const about = { attachmentId: file.id, mimeType: file.mimeType, size: file.size }
    return { source: 'attachment', title: (title ?? file.filename).slice(0, longestTitle), ...about }
  }
  if (url !== undefined) {
    const fault = { field: 'url', rule: 'web_address', message: 'is no http or https address' }
    const address = URL.parse(url)
    const isWeb = address !== null && ['http:', 'https:'].includes(address.protocol)
    refuseFaults(isWeb && address.username === '' && address.password === '' ? [] : [fault])
    return { source: 'url', title: title ?? url.slice(0, longestTitle), url }
  }
  const content = text ?? ''
  const about = { content, mimeType: types[format], size: Buffer.byteLength(content) }
  return { source: 'text', title: title ?? '', ...about }
}

/** A file of the adder's own, or one that is open to the tenant; to administrators of the platform, who have none here, one that is open to all. */
async function readableFile(
  key: { readonly tenantId: number; readonly id: string },
  { scope, userId }: Principal,
  files: Pick<AttachmentFiles, 'find'>,
): Promise<NonNullable<Awaited<ReturnType<AttachmentFiles['find']>>>> {
  const file = await files.find(key, scope === 'tenant' ? { userId } : {})
  if (file) return file
  refuseFaults([{ field: 'attachment_id', rule: 'known_attachment', message: 'is no file that you may read' }])
  throw new Error('unreachable')
}
