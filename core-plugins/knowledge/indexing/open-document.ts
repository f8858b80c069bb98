import type { GuardedFetch } from '#kernel'
import type { AttachmentFiles } from '../../attachments/contract.ts'
import { DocumentGoneError, DocumentInfectedError, DocumentTooLargeError, DocumentTypeError } from '../errors.ts'
import { mostDocumentBytes } from '../limits.ts'
import type { DocumentKind } from '../reading/wire.ts'
import type { KnowledgeDocumentRow } from '../tables.ts'
import { documentKind } from './document-kind.ts'
import { fetchDocument } from './fetch-document.ts'

/** Where documents come from. */
export interface DocumentOrigins {
  readonly files: Pick<AttachmentFiles, 'find' | 'open'>
  readonly http: GuardedFetch
}

/** The content of a document. */
interface OpenedDocument {
  readonly kind: DocumentKind
  readonly content: AsyncIterable<Buffer>
  readonly mimeType: string
  readonly size: number
}

/** Opens the content of a document; undefined for a file that is still being looked at. Throws what becomes of the document. */
export async function openDocument(
  { files, http }: DocumentOrigins,
  row: KnowledgeDocumentRow,
  signal: AbortSignal,
): Promise<OpenedDocument | undefined> {
  if (row.source === 'url') {
    const { bytes, mimeType, name } = await fetchDocument(http, row.url ?? '', signal)
    return opened(mimeType.split(';')[0] ?? '', name, bytes.length, onePiece(bytes))
  }
  if (row.source === 'text') {
    const bytes = Buffer.from(row.content ?? '')
    return opened(row.mimeType ?? '', '', bytes.length, onePiece(bytes))
  }
  const key = { tenantId: row.tenantId, id: row.attachmentId ?? '' }
  const file = await files.find(key)
  if (!file) throw new DocumentGoneError()
  if (file.status === 'quarantined') throw new DocumentInfectedError()
  if (file.status !== 'ready') return undefined
  if (file.size > mostDocumentBytes) throw new DocumentTooLargeError()
  return opened(file.mimeType, file.filename, file.size, await files.open(key))
}

function opened(mimeType: string, name: string, size: number, content: AsyncIterable<Buffer>): OpenedDocument {
  const kind = documentKind(mimeType, name)
  if (!kind) throw new DocumentTypeError()
  return { kind, content, mimeType, size }
}

async function* onePiece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(bytes)
}
