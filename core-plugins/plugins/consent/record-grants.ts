import type { Principal } from '#kernel'
import type { Knex } from 'knex'
import { GrantRow, type ReleaseRow } from '../shared/models.ts'
import { firstConsent } from './consent-request.ts'

/** Records that an administrator, or the platform itself, allowed all that a release asks for. */
export async function recordGrants(
  trx: Knex.Transaction,
  pluginId: number,
  release: Pick<ReleaseRow, 'manifest' | 'treeHash'>,
  actor: Principal | null,
): Promise<void> {
  await GrantRow.with(trx).where({ plugin_id: pluginId, release_hash: release.treeHash }).delete()
  await GrantRow.with(trx).insert(
    firstConsent(release).items.map(({ capability, detail, detailHash, optional }) => {
      const row = { pluginId, releaseHash: release.treeHash, capability, detailHash, optional }
      return { ...row, detail: (detail ?? null) as object, grantedBy: actor?.userId ?? null }
    }),
  )
}
