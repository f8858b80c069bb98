import type { Knex } from 'knex'
import { insertRelease } from '../releases/insert-release.ts'
import { archiveRelease, getRelease } from '../releases/release-archive.ts'
import { dropArchives } from '../releases/shared-archives.ts'
import type { ReleaseStage } from './needs.ts'
import { ReleaseRow } from '../shared/models.ts'
import type { Rollback } from './rollback.ts'

interface Kept {
  readonly id: number
}

/** Whether the release had to be fetched: it is not kept here. */
export function isFetched({ to }: Rollback): boolean {
  return 'incoming' in to
}

/** Puts the files of a release that was fetched onto this host. */
export async function storeFetched({ parts, to }: Rollback): Promise<void> {
  if ('incoming' in to) await parts.store.put(to.incoming.opened)
}

/** Keeps a release that was fetched. */
export async function keepFetched(trx: Knex.Transaction, { parts, to }: Rollback): Promise<Kept | undefined> {
  if (!('incoming' in to)) return undefined
  const { id } = await insertRelease(trx, to.incoming, parts.siteKey)
  await archiveRelease(trx, id, to.incoming.zip)
  return { id }
}

/** The release that a rollback leads to, once it is kept. */
export async function getKept({ parts, operation, to }: Rollback): Promise<ReleaseRow> {
  return 'kept' in to ? to.kept : getRelease(parts.db, operation.result<Kept>('keep').id)
}

/** Deletes a release that was fetched to go back to, and that nothing leads to. */
export async function dropFetched({ parts, operation }: ReleaseStage): Promise<void> {
  const kept = operation.result<Kept | undefined>('keep')
  const release = kept && (await ReleaseRow.with(parts.db).findById(kept.id))
  if (!release) return
  await dropArchives(parts.storage, [release])
  await operation.guarded(async (trx) => void (await ReleaseRow.with(trx).deleteById(release.id)))
}
