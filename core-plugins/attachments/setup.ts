import { tenantsDeleted, type Needed, type Scope } from '#kernel'
import { usersChanged } from '../users/contract.ts'
import { Links } from './access/links.ts'
import { accessRoutes } from './access/routes.ts'
import { Signer } from './access/signer.ts'
import { createDiscardJob } from './blobs/discard-job.ts'
import { sweepBlobs } from './blobs/sweep.ts'
import { attachmentsForgotten } from './contract.ts'
import { eraseTenant } from './erasure.ts'
import { setupImages } from './images/setup.ts'
import type { needs } from './needs.ts'
import type { AttachmentParts } from './parts.ts'
import { AttachmentService } from './records/attachment-service.ts'
import { fileRoutes } from './records/file-routes.ts'
import { recordRoutes } from './records/routes.ts'
import { uploadRoutes } from './uploads/routes.ts'
import { sweepUploads } from './uploads/sweep.ts'
import { UploadService } from './uploads/upload-service.ts'

const sweepMs = 10 * 60_000
/** Joining the chunks of a large file takes its time. */
const joinMs = 10 * 60_000

/** Builds attachments: uploads, access and images. */
export function setupAttachments(scope: Scope, { users, metrics, ...needed }: Needed<typeof needs>): void {
  const { db, env, log } = scope
  const parts: AttachmentParts = { ...needed, db, env, log, signer: new Signer(env) }
  const links = new Links(parts.signer, env.publicUrl)
  const attachments = new AttachmentService(parts, users, links)
  const uploads = new UploadService(parts, (name, work) => scope.locks.withLock(name, work, { waitMs: joinMs }))
  const forgotten = async (tenantId: number, hash: string): Promise<void> =>
    void (await scope.emit(attachmentsForgotten, { tenantId, hash }))
  scope.use(parts.jobs.register(createDiscardJob({ db, objects: parts.objects, forgotten })))
  scope.route(...uploadRoutes(parts, uploads, attachments), ...recordRoutes(attachments))
  scope.route(...fileRoutes(parts, attachments, links), ...accessRoutes(parts))
  scope.on(tenantsDeleted, ({ tenantId }) => eraseTenant(parts, tenantId))
  scope.on(usersChanged, ({ tenantId, userId, change }) =>
    change === 'deleted' ? attachments.forgetUser(tenantId, userId) : undefined,
  )
  scope.every(sweepMs, () => sweepUploads(parts))
  scope.every(sweepMs, () => sweepBlobs(parts))
  setupImages(scope, parts, metrics)
}
