import {
  compileSchemaCheck,
  ValidationFailedError,
  type Locale,
  type Principal,
  type RouteContext,
  type UploadedFile,
} from '#kernel'
import type { FileName } from '../content/file-name.ts'
import type { Attachment, Usage, Visibility } from '../models.ts'
import type { AttachmentParts } from '../parts.ts'
import { dropContent, storeContent, type StoredContent } from './ingest.ts'
import { allowName, demandUploads, readLimits, type UploadLimits } from './limits.ts'
import { uploadFields } from './schemas.ts'
import { getUpload } from './upload-rows.ts'
import type { ChunkProgress, UploadService } from './upload-service.ts'
import { visibilityFor } from './visibility-for.ts'

/** Fields of the form, checked. */
interface Fields {
  readonly hash?: string
  readonly visibility?: Visibility
  readonly usage?: Usage
  readonly filename?: string
  readonly upload_id?: string
  readonly chunk_index?: number
  readonly chunk_count?: number
  readonly chunk_hash?: string
  readonly complete?: boolean
}

/** What of a request is needed to take an upload in. */
type UploadContext = Pick<RouteContext, 'files' | 'header' | 'principal' | 'state'>

const check = compileSchemaCheck(uploadFields, 'coerce', 'lazily')

/** Takes a form with a file, a chunk, or the word that everything has come. */
export async function receiveUpload(
  parts: AttachmentParts,
  uploads: UploadService,
  ctx: UploadContext,
): Promise<Attachment | ChunkProgress> {
  const { principal, state } = ctx
  await demandUploads(parts.config, principal.tenantId)
  const limits = await readLimits(parts.config)
  const maxFileBytes = Math.max(limits.fileBytes, limits.chunkBytes)
  const files = ctx.files({ maxFileBytes, maxFiles: 1 })
  let taken: Attachment | ChunkProgress | StoredFile | undefined
  try {
    for await (const file of files) {
      if (file.field !== 'file') throw invalid('file', 'required', 'The file comes as the field file')
      taken = await takeFile(parts, uploads, ctx, limits, { file, fields: readFields(files.fields, state.locale) })
    }
  } catch (error) {
    if (taken instanceof StoredFile) await dropContent(parts, taken.content.blob)
    throw error
  }
  if (taken instanceof StoredFile)
    return keepFile(parts, uploads, principal, taken, () => readFields(files.fields, state.locale))
  if (taken) return taken
  const { upload_id: id, complete } = readFields(files.fields, state.locale)
  if (id === undefined || complete !== true) throw invalid('file', 'required', 'A file is wanted')
  return uploads.complete(principal, await getUpload(parts.db, principal, id))
}

/** A file whose bytes are stored while fields may yet come behind it. */
class StoredFile {
  readonly name: FileName
  readonly content: StoredContent

  constructor(name: FileName, content: StoredContent) {
    this.name = name
    this.content = content
  }
}

async function takeFile(
  parts: AttachmentParts,
  uploads: UploadService,
  ctx: UploadContext,
  limits: UploadLimits,
  { file, fields }: { readonly file: UploadedFile; readonly fields: Fields },
): Promise<ChunkProgress | Attachment | StoredFile> {
  const { principal } = ctx
  const content = file.content as AsyncIterable<Buffer>
  const { upload_id: id, chunk_index: given, chunk_count: count, chunk_hash: hash } = fields
  if (id !== undefined) {
    const upload = await getUpload(parts.db, principal, id)
    const index = given ?? (upload.chunkCount === 1 ? 0 : undefined)
    if (index === undefined) throw invalid('chunk_index', 'required', 'Which chunk it is must stand before the file')
    return uploads.takeChunk(principal, upload, { index, count, hash, content })
  }
  const name = allowName(fields.filename ?? file.filename, limits)
  const length = Number(ctx.header('content-length'))
  const announcedBytes = Number.isSafeInteger(length) ? length : undefined
  const incoming = { content, extension: name.extension, mostBytes: limits.fileBytes, announcedBytes }
  return new StoredFile(name, await storeContent(parts, principal, incoming))
}

async function keepFile(
  parts: AttachmentParts,
  uploads: UploadService,
  principal: Principal,
  { name, content }: StoredFile,
  readAll: () => Fields,
): Promise<Attachment> {
  let fields: Fields
  try {
    fields = readAll()
    const late = (['upload_id', 'chunk_index'] as const).find((field) => field in fields)
    if (late !== undefined) throw invalid(late, 'order', 'It must stand before the file')
  } catch (error) {
    await dropContent(parts, content.blob)
    throw error
  }
  const { hash, visibility, usage = 'general' } = fields
  return uploads.keep(principal, content, { ...name, usage, visibility: visibilityFor(usage, visibility) }, { hash })
}

/** Throws 422/4220 for fields that do not fit. */
function readFields(given: Readonly<Record<string, string>>, locale: Locale): Fields {
  const fields: Record<string, string> = { ...given }
  if (check.isValid(fields)) return fields
  throw new ValidationFailedError({ errors: check.explain(fields, locale) })
}

function invalid(field: string, rule: string, message: string): Error {
  return new ValidationFailedError({ errors: [{ field, rule, message }] })
}
