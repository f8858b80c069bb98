import { consentItems } from '#sandbox'
import type { Knex } from 'knex'
import { GrantRow } from '../shared/models.ts'
import type { UpgradeTarget } from './upgrade-target.ts'

/**
 * Records what a release is granted: what the one before had been, under the name of who granted it then, and what is new
 * under that of who consents now.
 */
export async function carryGrants(
  trx: Knex.Transaction,
  pluginId: number,
  {
    before,
    target,
    actor,
  }: {
    readonly before: readonly GrantRow[]
    readonly target: Pick<UpgradeTarget, 'manifest' | 'treeHash'>
    readonly actor: number | null
  },
): Promise<void> {
  const { manifest, treeHash: releaseHash } = target
  const known = new Map(before.map((grant) => [grant.capability, grant]))
  await GrantRow.with(trx).where({ plugin_id: pluginId, release_hash: releaseHash }).delete()
  await GrantRow.with(trx).insert(
    consentItems(manifest).map(({ capability, detail, detailHash, optional }) => {
      const old = known.get(capability)
      const given = old?.detailHash === detailHash ? { grantedBy: old.grantedBy, at: old.at } : { grantedBy: actor }
      return { pluginId, releaseHash, capability, detailHash, optional, detail: (detail ?? null) as object, ...given }
    }),
  )
}
