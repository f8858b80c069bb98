import type { PluginManifest } from '#sandbox'
import type { Knex } from 'knex'
import { compareConsent, type ConsentRequest } from './consent-request.ts'
import { GrantRow, type PluginRow, type ReleaseRow } from '../shared/models.ts'
import { getRelease } from '../releases/release-archive.ts'
import type { UpgradeTarget } from './upgrade-target.ts'

/** What an administrator granted the active release of a plugin. */
export async function listGrants(
  db: Knex,
  pluginId: number,
  { treeHash }: Pick<ReleaseRow, 'treeHash'>,
): Promise<readonly GrantRow[]> {
  return GrantRow.with(db).where({ plugin_id: pluginId, release_hash: treeHash }).orderBy('capability')
}

/** What a release asks for beyond what was granted to the active one, or undefined when that is nothing. */
export function findWiderRights(
  active: Pick<ReleaseRow, 'manifest'>,
  grants: readonly GrantRow[],
  target: Pick<UpgradeTarget, 'manifest' | 'treeHash'>,
): ConsentRequest | undefined {
  const { isWider, consent } = compareRights(active, grants, target)
  return isWider ? consent : undefined
}

/** The consent that the release that waits is after, as things stand now. */
export async function findPendingConsent(
  db: Knex,
  plugin: Pick<PluginRow, 'id' | 'activeRelease'>,
  pending: ReleaseRow,
): Promise<ConsentRequest> {
  const active = await getRelease(db, plugin.activeRelease)
  return compareRights(active, await listGrants(db, plugin.id, active), pending).consent
}

function compareRights(
  active: Pick<ReleaseRow, 'manifest'>,
  grants: readonly GrantRow[],
  target: Pick<UpgradeTarget, 'manifest' | 'treeHash'>,
): { readonly isWider: boolean; readonly consent: ConsentRequest } {
  return compareConsent({ manifest: grantedPart(active.manifest, grants), grants }, target)
}

/** The manifest without what was not granted: rights are what an administrator recorded, never what the package says. */
function grantedPart(manifest: PluginManifest, grants: readonly GrantRow[]): PluginManifest {
  const details = new Map(grants.map(({ capability, detail }) => [capability, detail]))
  const isGranted = (capability: string): boolean => details.has(capability)
  const { slots = [], public_routes = [] } = manifest
  // Each detail was made from a checked manifest and has the form it has there.
  const given = {
    http: details.get('http'),
    storage: details.get('storage'),
    db: details.get('db:own_tables'),
    events: details.get('events'),
    limits: details.get('limits'),
    mail: details.get('mail'),
    uses: (details.get('services:use') as Pick<PluginManifest, 'uses'> | undefined)?.uses,
  } as Partial<PluginManifest>
  return {
    ...manifest,
    ...given,
    capabilities: manifest.capabilities.filter(isGranted),
    optionalCapabilities: (manifest.optionalCapabilities ?? []).filter(isGranted),
    slots: isGranted('ui') ? slots : [],
    public_routes: isGranted('routes') ? public_routes : [],
  }
}
