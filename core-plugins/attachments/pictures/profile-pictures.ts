import type { Knex } from 'knex'
import { ValidationFailedError } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import type { ProfilePictureKeeper } from '../../users/contract.ts'
import { Attachment, AttachmentReference } from '../models.ts'
import { avatarHolder } from '../references/holders.ts'
import { setReferences } from '../references/references.ts'
import { texts } from '../texts/texts.ts'
import { openImagePath } from './open-paths.ts'
import { pictureFault, readPictureBounds } from './picture-fault.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Lets users choose attachments of their own as avatars. */
export function createPictureKeeper({ config }: { readonly config: ConfigReader }): ProfilePictureKeeper {
  return {
    async choose(trx, { tenantId, userId, chosenBy = userId }, given) {
      const id = given.toLowerCase()
      // Kept in memory by the reader: no second connection is waited for.
      const bounds = await readPictureBounds(config)
      const own = Attachment.of(tenantId, trx).findOne({ id }).whereIn('owner_id', [userId, chosenBy])
      const row = uuid.test(id) ? await own.forUpdate() : undefined
      if (!row || (row.ownerId !== userId && !(await isFree(trx, row))))
        throw refused('not_found', texts.of('picture.not_found').default)
      const fault = pictureFault(row, bounds)
      if (fault) throw refused(fault.rule, fault.message.default)
      await setReferences(trx, tenantId, avatarHolder(userId), [id])
      // It goes with the user whom it shows, and not with whoever chose it or those who look after that one's files.
      const theirs = { ownerId: userId, orgId: null }
      if (row.ownerId !== userId) await Attachment.of(tenantId, trx).where({ id }).patch(theirs)
      return openImagePath(id, 'avatar')
    },

    drop: (trx, { tenantId, userId }) => setReferences(trx, tenantId, avatarHolder(userId), []),
  }
}

/** Whether a picture was uploaded as an avatar and is nobody's yet, so that it can become somebody else's. */
async function isFree(trx: Knex.Transaction, { id, tenantId, usage }: Attachment): Promise<boolean> {
  const held = AttachmentReference.of(tenantId, trx).where({ attachment_id: id })
  return usage === 'avatar' && (await held.resultSize()) === 0
}

function refused(rule: string, message: string): Error {
  return new ValidationFailedError({ errors: [{ field: 'avatar_attachment_id', rule, message }] })
}
