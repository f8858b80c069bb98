import { consentItems } from '#sandbox'
import type { Knex } from 'knex'
import { asksForConsent } from '../consent/consent-request.ts'
import { GrantRow, type ReleaseRow } from '../shared/models.ts'
import { ReleaseNotGrantedError } from './errors.ts'

/**
 * What an earlier release was granted still stands under its hash. One that never ran here gets what the release in use has, if that is
 * all it asks for; otherwise throws 409/4094: nobody agreed to more. What was taken back from the plugin since stays away, whatever is recorded.
 */
export async function takeGrants(trx: Knex, pluginId: number, from: ReleaseRow, to: ReleaseRow): Promise<void> {
  if (!asksForConsent(to.manifest) || (await grantsOf(trx, pluginId, to.treeHash)).length > 0) return
  const items = consentItems(to.manifest)
  const held = await grantsOf(trx, pluginId, from.treeHash)
  const taken = held.filter((grant) =>
    items.some(({ capability, detailHash }) => grant.capability === capability && grant.detailHash === detailHash),
  )
  const missing = items.filter(
    (item) => !item.optional && !taken.some(({ capability }) => capability === item.capability),
  )
  if (missing.length > 0) {
    const details = { capabilities: missing.map(({ capability }) => capability) }
    throw new ReleaseNotGrantedError({ version: to.version }, { details })
  }
  await GrantRow.with(trx).insert(
    taken.map(({ capability, detailHash, detail, optional, grantedBy }) => ({
      ...{ pluginId, releaseHash: to.treeHash, capability, detailHash, detail: (detail ?? null) as object },
      ...{ optional, grantedBy },
    })),
  )
}

function grantsOf(db: Knex, pluginId: number, releaseHash: string): Promise<GrantRow[]> {
  return GrantRow.with(db)
    .where({ plugin_id: pluginId, release_hash: releaseHash })
    .then((rows) => rows)
}
