import type { ConsentRequest } from './lifecycle/consent.ts'
import type { GrantRow, OperationRow, PluginRow, ReleaseRow } from './models.ts'
import type { Localised } from '#kernel'
import type { PluginManifest, PluginRoute } from '#sandbox'

/** A plugin with the release that is active. */
export interface InstalledPlugin {
  readonly plugin: PluginRow
  readonly release: ReleaseRow
}

/** A text in the caller's language. */
export function localised(text: Localised | undefined, locale: string): string {
  return text?.[locale] ?? text?.default ?? ''
}

/** A plugin as a list of administrators shows it. */
export function presentPlugin({ plugin, release }: InstalledPlugin, locale: string) {
  const { manifest } = release
  return {
    id: plugin.id,
    name: plugin.name,
    version: release.version,
    title: localised(manifest.title, locale),
    description: localised(manifest.description, locale),
    publisher: manifest.publisher,
    scope: plugin.scope,
    status: plugin.removing ? 'removing' : plugin.status,
    reason: plugin.reason,
    trust: release.trust,
    release_hash: release.treeHash,
    capabilities: [...manifest.capabilities, ...(manifest.optionalCapabilities ?? [])],
    created_at: plugin.createdAt.toISOString(),
    updated_at: plugin.updatedAt.toISOString(),
  }
}

/** Everything an administrator sees of one plugin. */
export function presentDetail(
  installed: InstalledPlugin,
  more: {
    readonly grants: readonly GrantRow[]
    readonly tenants: readonly { tenantId: number; enabledByTenant: boolean; capabilitiesDenied: readonly string[] }[]
    readonly consent: ConsentRequest | undefined
  },
  locale: string,
) {
  const { manifest, sha256, size } = installed.release
  return {
    ...presentPlugin(installed, locale),
    package: { sha256, size },
    license: manifest.license,
    homepage: manifest.homepage ?? null,
    engines: manifest.engines,
    granted: more.grants.map(presentGrant),
    permissions: (manifest.permissions ?? []).map(({ code, title }) => ({
      code: `plugin.${manifest.name}:${code}`,
      title: localised(title, locale),
    })),
    routes: presentRoutes(manifest),
    slots: (manifest.slots ?? []).map(({ slot, id, area = 'tenant' }) => ({ slot, id, area })),
    tenants: more.tenants.map(({ tenantId, enabledByTenant, capabilitiesDenied }) => ({
      tenant_id: tenantId,
      enabled: enabledByTenant,
      capabilities_denied: capabilitiesDenied,
    })),
    ...(more.consent && { consent: presentConsent(more.consent) }),
  }
}

/** What an administrator is asked to allow. */
export function presentConsent({ releaseHash, diffHash, items }: ConsentRequest) {
  return {
    release_hash: releaseHash,
    diff_hash: diffHash,
    wider: items.map(({ capability, optional, reason, detail }) => ({
      capability,
      optional,
      reason: reason ?? null,
      detail: detail ?? null,
    })),
  }
}

/** What was granted, by whom and when. */
export function presentGrant({ capability, optional, detail, grantedBy, at }: GrantRow) {
  return { capability, optional, detail, granted_by: grantedBy, at: at.toISOString() }
}

/** A plugin as a tenant sees it. */
export function presentForTenant(
  { plugin, release }: InstalledPlugin,
  more: { readonly enabled: boolean; readonly denied: readonly string[] },
  locale: string,
) {
  const { manifest } = release
  return {
    id: plugin.id,
    name: plugin.name,
    version: release.version,
    title: localised(manifest.title, locale),
    description: localised(manifest.description, locale),
    publisher: manifest.publisher,
    enabled: more.enabled,
    running: plugin.status === 'enabled' && more.enabled,
    optional_capabilities: manifest.optionalCapabilities ?? [],
    capabilities_denied: more.denied,
  }
}

/** An operation with what each step did. */
export function presentOperation(row: OperationRow) {
  return {
    id: row.id,
    plugin: row.plugin,
    kind: row.kind,
    state: row.state,
    step: row.step,
    steps: row.steps,
    from_release: row.fromRelease,
    to_release: row.toRelease,
    options: row.options,
    actor: row.actor,
    error: row.error ?? null,
    started_at: row.startedAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
  }
}

function presentRoutes({ name, admin_routes = [], tenant_routes = [], public_routes = [] }: PluginManifest) {
  const list = (prefix: string, routes: readonly Pick<PluginRoute, 'method' | 'path'>[]) =>
    routes.map(({ method, path }) => `${method} ${prefix}/plugins/${name}/api${path}`)
  return [...list('/admin', admin_routes), ...list('/tenant', tenant_routes), ...list('/api/public', public_routes)]
}
