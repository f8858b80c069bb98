import { pickText, type AppError } from '#kernel'
import type { PluginVersion, ResolvedVersions } from '#marketplace'
import type { PluginManifest } from '#sandbox'
import type { InstalledRelease } from '../../plugins/contract.ts'
import type { presentRevocation } from '../judging/revocation-check.ts'

/** What a source has for an installed plugin. */
export interface UpdateState {
  readonly plugin: InstalledRelease
  readonly manifest: PluginManifest
  readonly status:
    'current' | 'available' | 'pinned' | 'incompatible' | 'uploaded' | 'source_gone' | 'not_offered' | 'failed'
  readonly resolved?: ResolvedVersions
  /** Plugins that use services of it. */
  readonly usedBy: readonly string[]
  /** Whether the release that is installed, or the key that signed it, was revoked. */
  readonly isRevoked?: boolean
  /** Why the source could not be asked. */
  readonly error?: AppError
}

/** An installed plugin with what its source has for it. */
export function presentUpdate(
  { plugin, manifest, status, usedBy, resolved, isRevoked = false, error }: UpdateState,
  revocation: ReturnType<typeof presentRevocation> | undefined,
  locale: string,
) {
  const { newest, newestCompatible, update, changes = [], installed } = resolved ?? {}
  const target = update ?? newest
  return {
    id: plugin.id,
    name: plugin.name,
    title: pickText(manifest.title, locale),
    installed: plugin.release.version,
    latest: newest?.version.version ?? null,
    latest_compatible: newestCompatible?.version.version ?? null,
    status,
    incompatible: status === 'incompatible' ? (newest?.incompatible ?? []) : [],
    pinned: plugin.pinned,
    used_by: usedBy,
    source: plugin.source,
    security: update !== undefined && isRevoked,
    revoked: revocation ?? null,
    yanked: installed?.version.yanked ?? null,
    rights: target && status !== 'current' ? compareRights(manifest, target.version) : null,
    changelog: changes,
    error: error ? { code: error.code, reason: error.reason, message: error.message } : null,
  }
}

/** What a version asks for beyond, or less than, the one that is installed, as far as an index tells. */
function compareRights(manifest: PluginManifest, version: PluginVersion) {
  const before = {
    capabilities: [...manifest.capabilities, ...(manifest.optionalCapabilities ?? [])] as readonly string[],
    hosts: (manifest.http?.hosts ?? []).map(({ host }) => host),
  }
  const capabilities = compare(before.capabilities, [...version.capabilities, ...(version.optionalCapabilities ?? [])])
  const hosts = compare(before.hosts, version.hosts)
  const isWider = capabilities.added.length + hosts.added.length > 0
  const isNarrower = capabilities.removed.length + hosts.removed.length > 0
  return { change: isWider ? 'wider' : isNarrower ? 'narrower' : 'none', capabilities, hosts }
}

function compare(before: readonly string[], after: readonly string[]) {
  const [old, young] = [new Set(before), new Set(after)]
  return { added: [...young.difference(old)].sort(), removed: [...old.difference(young)].sort() }
}
