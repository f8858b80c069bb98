import { signPackage } from '#marketplace'
import type { Knex } from 'knex'
import { insertRelease } from '../releases/insert-release.ts'
import { ReleaseRow } from '../shared/models.ts'
import type { ConsentNeeds } from './needs.ts'
import type { IncomingRelease } from '../contract-packages.ts'
import { archiveRelease } from '../releases/release-archive.ts'

/** Keeps a release that came in with its zip. One with the very same files is kept once, and trusted as it is by now. */
export async function keepRelease(
  trx: Knex.Transaction,
  { siteKey }: Pick<ConsentNeeds, 'siteKey'>,
  incoming: IncomingRelease,
): Promise<ReleaseRow> {
  const { opened, trust, source, publisherSignature } = incoming
  const { name, version } = opened.manifest
  const known = await ReleaseRow.with(trx).findOne({ name, version, tree_hash: opened.treeHash })
  if (known) {
    return ReleaseRow.with(trx).patchAndFetchById(known.id, {
      ...{ trust, source },
      signature: signPackage(opened, siteKey, { trust }),
      kid: publisherSignature?.kid ?? null,
      publisherSignature: publisherSignature ?? null,
    })
  }
  const release = await insertRelease(trx, incoming, siteKey)
  await archiveRelease(trx, release.id, incoming.zip)
  return release
}
