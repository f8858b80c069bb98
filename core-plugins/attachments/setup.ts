import { tenantsDeleted, type Needed, type Scope } from '#kernel'
import { Signer } from './access/signer.ts'
import { eraseTenant } from './erasure.ts'
import type { needs } from './needs.ts'
import type { AttachmentParts } from './parts.ts'

/** Builds attachments: uploads, access and images. */
export function setupAttachments(scope: Scope, needed: Needed<typeof needs>): void {
  const { db, env, log } = scope
  const parts: AttachmentParts = { ...needed, db, env, log, signer: new Signer(env) }
  scope.on(tenantsDeleted, ({ tenantId }) => eraseTenant(parts.db, tenantId))
}
