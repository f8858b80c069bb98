import type { Knex } from 'knex'
import type { JobKind } from '../../jobs/contract.ts'
import type { ObjectStorage } from '../../storage/contract.ts'
import { namespace } from '../access/open-content.ts'
import { Blob } from '../models.ts'

/** The kind of jobs that delete bytes. */
export const discardKind = 'attachments.discard'
/** More than a week, with an hour between two of them. */
const attempts = 200

/** What deleting bytes stands on. */
interface DiscardParts {
  readonly db: Knex
  readonly objects: ObjectStorage
}

/** Deletes bytes that nothing stands on: first they, then what is known of them, so that a crash between the two forgets none. */
export function createDiscardJob({ db, objects }: DiscardParts): JobKind<{ readonly id: string }> {
  return {
    kind: discardKind,
    attempts,
    keepSeconds: 0,
    async run({ tenantId, payload: { id } }) {
      const blob = await Blob.of(tenantId, db).findOne({ id, state: 'deleting' })
      if (!blob) return
      await objects.open(namespace, tenantId).delete(id)
      await Blob.of(tenantId, db).deleteById(id)
    },
  }
}
