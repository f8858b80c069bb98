import { created, defineRoute, deletedBody, NotFoundError, tenantNeeds, type Route } from '#kernel'
import { readQuotas, readRoom } from '../blobs/room.ts'
import { Attachment } from '../models.ts'
import type { AttachmentParts } from '../parts.ts'
import type { AttachmentService } from '../records/attachment-service.ts'
import { attachmentBody } from '../records/schemas.ts'
import { mayUpload, readLimits, uploadTtlSeconds } from './limits.ts'
import { Preflight } from './preflight.ts'
import { receiveUpload } from './receive-upload.ts'
import { announcedFile, chunkBody, preflightBody, rulesBody, uploadParams } from './schemas.ts'
import { findUpload } from './upload-rows.ts'
import type { UploadService } from './upload-service.ts'

const megabyte = 1_048_576
const admit = tenantNeeds('user_attachment:upload')

/** Uploads of files. */
export function uploadRoutes(
  parts: AttachmentParts,
  uploads: UploadService,
  attachments: AttachmentService,
): readonly Route[] {
  const preflight = new Preflight(parts, attachments)
  return [
    defineRoute({
      method: 'get',
      path: '/attachments/upload-rules',
      summary: 'Read what may be uploaded, and how',
      admit,
      schema: { response: rulesBody },
      errors: [4043],
      handler: ({ principal }) => readRules(parts, principal),
    }),
    defineRoute({
      method: 'post',
      path: '/attachments/preflight',
      summary: 'Announce a file: it is there at once where its bytes are known, or an upload of them goes on',
      admit,
      limit: { policy: 'attachment_preflight', requests: 600, seconds: 60, by: 'user' },
      idempotent: false,
      schema: { body: announcedFile, response: preflightBody },
      errors: [4008, 4036, 4043, 4222, 4297],
      handler: ({ principal, tenant, body }) => preflight.announce(principal, tenant, body),
    }),
    defineRoute({
      method: 'post',
      path: '/attachments/upload',
      summary: 'Upload a file, a chunk of one, or say that all of it has come',
      admit,
      accepts: ['multipart'],
      answers: [
        { status: 200, schema: chunkBody },
        { status: 201, schema: attachmentBody },
      ],
      schema: { response: { oneOf: [chunkBody, attachmentBody] } },
      errors: [4001, 4008, 4036, 4043, 4098, 4130, 4297],
      async handler(ctx) {
        const taken = await receiveUpload(parts, uploads, ctx)
        if (taken instanceof Attachment) return created(await attachments.present(taken, ctx.tenant))
        const { uploadId, chunkIndex, uploaded } = taken
        return { upload_id: uploadId, chunk_index: chunkIndex, uploaded_chunks: uploaded, completed: false }
      },
    }),
    defineRoute({
      method: 'delete',
      path: '/attachments/uploads/{upload_id}',
      summary: 'Give up an upload that was announced, and with it its room',
      admit,
      schema: { params: uploadParams, response: deletedBody },
      errors: [4098],
      async handler({ principal, params }) {
        const upload = await findUpload(parts.db, principal, params.upload_id)
        if (!upload) throw new NotFoundError()
        await uploads.end(principal, upload)
        return { deleted: true }
      },
    }),
  ]
}

async function readRules(
  { db, config, volumes }: AttachmentParts,
  { tenantId, userId }: { readonly tenantId: number; readonly userId: number },
) {
  const [{ fileBytes, chunkBytes, extensions }, enabled, { driver, volume }, quota, megapixels] = await Promise.all([
    readLimits(config),
    mayUpload(config, tenantId),
    volumes.current(tenantId),
    readQuotas(config).then((quotas) => readRoom(db, quotas, { tenantId, userId })),
    config.get<number>('image_max_megapixels', 0, 50),
  ])
  return {
    driver,
    enabled,
    max_file_size_mb: fileBytes / megabyte,
    max_file_size: fileBytes,
    chunk_size_mb: chunkBytes / megabyte,
    chunk_size: chunkBytes,
    chunk_threshold: chunkBytes,
    allowed_extensions: extensions,
    hash_algorithm: 'sha256',
    instant_upload: true,
    direct_upload: volume.presignPut !== undefined,
    max_parallel_chunks: 3,
    upload_ttl_seconds: uploadTtlSeconds,
    quota,
    image: { max_megapixels: megapixels },
  } as const
}
