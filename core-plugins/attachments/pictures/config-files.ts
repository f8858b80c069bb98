import type { Knex } from 'knex'
import type { ConfigFileKeeper, ConfigReader } from '../../config/contract.ts'
import { Attachment, AttachmentReference } from '../models.ts'
import { configHolder } from '../references/holders.ts'
import { setReferences } from '../references/references.ts'
import { texts } from '../texts/texts.ts'
import { openFilePath } from './open-paths.ts'
import { faultOf, pictureFault, readPictureBounds } from './picture-fault.ts'

/** Lets settings name attachments. */
export function createFileKeeper({
  db,
  config,
}: {
  readonly db: Knex
  readonly config: ConfigReader
}): ConfigFileKeeper {
  return {
    async faultOf({ tenantId, type, id, isPublic }) {
      const row = await Attachment.of(tenantId, db).findOne({ id })
      if (!row || row.status !== 'ready') return faultOf('not_found')
      if (type === 'IMAGE') return pictureFault(row, await readPictureBounds(config), 'any')
      if (isPublic) return row.visibility === 'public' ? undefined : faultOf('visibility')
      // Whoever may write settings is not for that the reader of what somebody keeps private.
      const isClosed = row.visibility === 'private'
      return isClosed ? { rule: 'visibility', message: texts.of('file.visibility') } : undefined
    },

    hold: (trx, { tenantId, group, key }, id) =>
      setReferences(trx, tenantId, configHolder(group, key), id === undefined ? [] : [id]),

    async release(trx, group) {
      const start = configHolder(group, '').replace(/[\\%_]/g, '\\$&')
      await AttachmentReference.acrossTenants(trx).whereLike('holder', `${start}%`).delete()
    },

    pathOf: ({ id, type }) => openFilePath(id, type === 'IMAGE'),
  }
}
