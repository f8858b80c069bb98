import { signPackage, type OpenedPackage, type ReleaseStore, type SigningKey } from '#marketplace'
import type { Release } from '#sandbox'
import type { Knex } from 'knex'
import { ReleaseRow } from '../shared/models.ts'
import type { IncomingRelease } from '../contract-packages.ts'

/** Records a release with this site's own signature. */
export async function insertRelease(
  trx: Knex.Transaction,
  { opened, trust, source, publisherSignature }: IncomingRelease,
  siteKey: SigningKey,
): Promise<ReleaseRow> {
  const { manifest, treeHash, sha256, size } = opened
  const { name, version } = manifest
  return ReleaseRow.with(trx).insertAndFetch({
    ...{ name, version, treeHash, sha256, size, manifest, source, trust },
    files: filesOf(opened),
    signature: signPackage(opened, siteKey, { trust }),
    kid: publisherSignature?.kid ?? null,
    publisherSignature: publisherSignature ?? null,
  })
}

/** A release that lies in the store, as the sandbox takes it. */
export function releaseOf(
  { store }: { readonly store: Pick<ReleaseStore, 'directoryOf'> },
  { opened, trust }: Pick<IncomingRelease, 'opened' | 'trust'>,
): Release {
  const { manifest, treeHash } = opened
  const reference = { name: manifest.name, version: manifest.version, treeHash }
  return { ...reference, manifest, directory: store.directoryOf(reference), files: filesOf(opened), trust }
}

function filesOf({ files }: Pick<OpenedPackage, 'files'>): Record<string, string> {
  return Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256]))
}
