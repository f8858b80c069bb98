import { createGuardedConnect, tenantsDeleted, type Needed, type Scope } from '#kernel'
import { usersDeleted } from '../users/contract.ts'
import { KnownAttachments, recordsChanged } from './access/known-attachments.ts'
import { Links } from './access/links.ts'
import { accessRoutes } from './access/routes.ts'
import { Signer } from './access/signer.ts'
import { createDiscardJob } from './blobs/discard-job.ts'
import { sweepBlobs } from './blobs/sweep.ts'
import { attachmentsSettled } from './contract.ts'
import { attachmentFiles } from './contract-files.ts'
import { eraseTenant } from './erasure.ts'
import { createAttachmentFiles } from './files/attachment-files.ts'
import { sweepExpired } from './files/sweep.ts'
import { presetsCheck } from './images/check-presets.ts'
import { setupImages } from './images/setup.ts'
import type { Attachment } from './models.ts'
import type { needs } from './needs.ts'
import type { AttachmentParts } from './parts.ts'
import { createFileKeeper } from './pictures/config-files.ts'
import { createPictureKeeper } from './pictures/profile-pictures.ts'
import { AttachmentService } from './records/attachment-service.ts'
import { fileRoutes } from './records/file-routes.ts'
import { recordRoutes } from './records/routes.ts'
import { guardSettings } from './scanning/guard-settings.ts'
import { createScanJob, createTellJob } from './scanning/scan-job.ts'
import { sweepPending } from './scanning/sweep.ts'
import { tusRoutes } from './tus/routes.ts'
import { TusUploads } from './tus/tus-uploads.ts'
import type { OneAtATime } from './uploads/one-at-a-time.ts'
import { uploadRoutes } from './uploads/routes.ts'
import { sweepUploads } from './uploads/sweep.ts'
import { UploadService } from './uploads/upload-service.ts'

const sweepMs = 10 * 60_000
/** Joining the chunks of a large file takes its time. */
const joinMs = 10 * 60_000

/** Builds attachments: uploads, access and images. */
export function setupAttachments(
  scope: Scope,
  { users, pictures, configFiles, metrics, notifier, workflow, ...needed }: Needed<typeof needs>,
): void {
  const { db, env, log } = scope
  const known = new KnownAttachments(db)
  scope.onChanges(recordsChanged, (ids) => known.forget(ids))
  const parts: AttachmentParts = { ...needed, db, env, known, log, signer: new Signer(env) }
  const links = new Links(parts.signer, env.publicUrl)
  const attachments = new AttachmentService(parts, users, links)
  const settled = async ({ id, tenantId, ownerId: userId, status }: Attachment): Promise<void> => {
    if (status !== 'pending') await scope.emit(attachmentsSettled, { id, tenantId, userId, status })
  }
  const oneAtATime: OneAtATime = (name, work) => scope.locks.withLock(name, work, { waitMs: joinMs })
  const uploads = new UploadService(parts, oneAtATime, settled)
  scope.use(parts.jobs.register(createDiscardJob(parts)))
  scope.use(workflow.registerGuard(guardSettings(parts.access)))
  const scanning = { ...parts, connect: createGuardedConnect(env), notifier, settled }
  scope.use(parts.jobs.register(createScanJob(scanning)))
  scope.use(parts.jobs.register(createTellJob(scanning)))
  scope.route(...uploadRoutes(parts, uploads, attachments), ...recordRoutes(attachments))
  scope.route(...tusRoutes(new TusUploads(parts, uploads)))
  scope.route(...fileRoutes(parts, attachments, links), ...accessRoutes(parts))
  scope.on(tenantsDeleted, ({ tenantId }) => eraseTenant(parts, tenantId))
  scope.on(usersDeleted, ({ tenantId, userId }) => attachments.forgetUser(tenantId, userId))
  scope.every(sweepMs, () => sweepUploads(parts))
  scope.every(sweepMs, () => sweepBlobs(parts))
  scope.every(sweepMs, () => sweepExpired(parts))
  scope.every(sweepMs, () => sweepPending(parts))
  scope.provide(attachmentFiles, createAttachmentFiles(parts, links))
  scope.use(pictures.register(createPictureKeeper(parts)))
  scope.use(configFiles.register(createFileKeeper(parts)))
  scope.use(workflow.register(presetsCheck))
  setupImages(scope, parts, metrics)
}
