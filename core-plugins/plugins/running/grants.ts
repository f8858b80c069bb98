import { effectiveLimits, type Capability, type EffectiveLimits, type Grants, type HostGrant } from '#sandbox'
import { GrantRow, PluginRow } from '../shared/models.ts'
import type { Knex } from 'knex'

/** What a grant recorded, by capability; the row was made from a checked manifest. */
interface Details {
  readonly http?: { readonly hosts: readonly HostGrant[] }
  readonly events?: { readonly publish: readonly string[]; readonly subscribe: readonly string[] }
  readonly 'db:own_tables'?: { readonly tables: readonly string[] }
  readonly 'services:use'?: { readonly uses: Readonly<Record<string, string>> }
  readonly storage?: { readonly quotaMb?: number; readonly maxObjectMb?: number }
  readonly mail?: { readonly perDay?: number }
  readonly limits?: Partial<EffectiveLimits>
}

/** Items of a consent that are no capability. */
export const noCapability: ReadonlySet<string> = new Set(['routes', 'limits', 'licensing'])

/** What an administrator granted a release, without what was taken back from the plugin since. */
export async function readGrants(
  db: Knex,
  pluginId: number,
  releaseHash: string,
  deniedFor: Grants['deniedFor'],
): Promise<Grants> {
  const { withheld = [] } = (await PluginRow.with(db).findById(pluginId).select('withheld')) ?? {}
  const rows = await GrantRow.with(db)
    .where({ plugin_id: pluginId, release_hash: releaseHash })
    .whereNotIn('capability', [...withheld])
  const details = Object.fromEntries(rows.map(({ capability, detail }) => [capability, detail])) as Details
  const { http, events, storage, mail, limits, 'db:own_tables': tables } = details
  return {
    capabilities: new Set(
      rows.flatMap(({ capability }) => (noCapability.has(capability) ? [] : (capability as Capability))),
    ),
    hosts: http?.hosts ?? [],
    publish: events?.publish ?? [],
    subscribe: events?.subscribe ?? [],
    tables: tables?.tables ?? [],
    uses: details['services:use']?.uses ?? {},
    limits: effectiveLimits({
      ...limits,
      ...(storage?.quotaMb !== undefined && { storageQuotaMb: storage.quotaMb }),
      ...(storage?.maxObjectMb !== undefined && { storageObjectMb: storage.maxObjectMb }),
      ...(mail?.perDay !== undefined && { mailsPerDay: mail.perDay }),
    }),
    deniedFor,
  }
}
