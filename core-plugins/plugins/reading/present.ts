import { pickText, type Localised, type TextTeller } from '#kernel'
import { declareConfig, type PluginManifest, type PluginRoute } from '#sandbox'
import { iconUrlOf } from '../shared/icon-url.ts'
import { presentMenu } from '../shared/present-menu.ts'
import { presentConsent } from './present-consent.ts'
import { presentOperation, type ActorNames } from './present-operation.ts'
import type { AssignmentRow, GrantRow, OperationRow, ReleaseRow } from '../shared/models.ts'
import type { InstalledPlugin } from './installed-plugin.ts'
import type { NamedTenant } from '../../tenants/contract.ts'
import type { PluginFacts } from './plugin-facts.ts'
import type { LicenceBook } from '../contract-licences.ts'
import type { FoundUpdate } from '../contract-packages.ts'

/** Who reads, and who tells it in the own language. */
interface Reader {
  readonly teller: TextTeller
  readonly locale: string
}

/** A text in the caller's language. */
export function localised(text: Localised | undefined, locale: string): string {
  return text ? pickText(text, locale) : ''
}

/** How a plugin is licensed for a tenant (0 = the platform), as its detail shows it; `now` in milliseconds since 1970. */
export function presentLicensing(book: LicenceBook, tenantId: number, now: number) {
  const { state, features, expiresAt, graceUntil } = book.of(tenantId, now)
  const type = book.isCommercial ? ('commercial' as const) : ('free' as const)
  return { type, state, features, expires_at: expiresAt, grace_until: graceUntil }
}

/** A plugin as a list of administrators shows it. */
export function presentPlugin(
  { plugin, release, pending }: InstalledPlugin,
  update: FoundUpdate | undefined,
  { teller, locale }: Reader,
) {
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
    reason: teller.tellKept(plugin.reason, plugin.reasonSaid, locale),
    trust: release.trust,
    source: plugin.source,
    pinned: plugin.pinned,
    pending: pending ? presentRelease(pending) : null,
    update_available: update ?? null,
    icon: iconUrlOf(plugin, release),
    release_hash: release.treeHash,
    capabilities: [...manifest.capabilities, ...(manifest.optionalCapabilities ?? [])],
    created_at: plugin.createdAt.toISOString(),
    updated_at: plugin.updatedAt.toISOString(),
  }
}

/** Everything an administrator sees of one plugin. */
export function presentDetail(
  facts: PluginFacts & { readonly names: ReadonlyMap<number, NamedTenant>; readonly actors: ActorNames },
  update: FoundUpdate | undefined,
  { teller, locale }: Reader,
) {
  const { plugin, release, previous, pending, grants, tenants, consent, lastOperation, running } = facts
  const { manifest, sha256, size } = release
  const tell = (row: OperationRow) => presentOperation(row, { teller, locale, actors: facts.actors })
  return {
    ...presentPlugin(facts, update, { teller, locale }),
    ...(pending && {
      pending: {
        ...presentRelease(pending),
        leaves_without: facts.leftBy.pending,
        ...(consent && { consent: presentConsent(consent) }),
      },
    }),
    package: { sha256, size, kid: release.kid, source: release.source },
    previous: previous ? { ...presentRelease(previous), leaves_without: facts.leftBy.previous } : null,
    releases: facts.releases.map(({ release: one, leaves }) => ({
      ...presentKept(one, facts),
      leaves_without: leaves,
    })),
    license: manifest.license,
    homepage: manifest.homepage ?? null,
    engines: manifest.engines,
    dependencies: facts.dependencies,
    dependants: facts.dependants,
    uses: facts.uses,
    used_by: facts.usedBy,
    left_without: facts.lacking,
    leaves_without: facts.leftBy.stop,
    granted: grants.map(presentGrant),
    withheld: plugin.withheld,
    permissions: (manifest.permissions ?? []).map(({ code, title }) => ({
      code: `plugin.${manifest.name}:${code}`,
      title: localised(title, locale),
    })),
    routes: presentRoutes(manifest),
    slots: (manifest.slots ?? []).map(({ slot, id, area = 'tenant' }) => ({ slot, id, area })),
    menu: presentMenu(plugin, manifest, locale),
    hooks: Object.keys(manifest.hooks ?? {}),
    schedules: manifest.schedules?.length ?? 0,
    config_groups: declareConfig(manifest).map(({ code }) => code),
    tenants: tenants.map((row) => ({ ...presentAssignment(row), tenant: facts.names.get(row.tenantId) ?? null })),
    backups: facts.backups,
    watch: presentWatch(facts),
    last_operation: lastOperation ? tell(lastOperation) : null,
    running_operations: running.map(tell),
    ...(consent && { consent: presentConsent(consent) }),
  }
}

/** What was seen of the release that an upgrade led to, from all hosts. */
function presentWatch({ watch, releases }: PluginFacts) {
  const from = releases.find(({ release }) => release.id === watch?.fromRelease)?.release.version
  if (!watch || from === undefined) return null
  const { until, calls, errors, kills } = watch
  return { from, until: until.toISOString(), calls, errors, kills }
}

/** One version of a plugin. */
function presentRelease({ version, treeHash, trust, source }: ReleaseRow) {
  return { version, release_hash: treeHash, trust, source }
}

/** A release that is kept, with what it is to the plugin. */
function presentKept(kept: ReleaseRow, { plugin }: Pick<PluginFacts, 'plugin'>) {
  const places = { active: plugin.activeRelease, pending: plugin.pendingRelease, previous: plugin.previousRelease }
  const state = (['active', 'pending', 'previous'] as const).find((place) => places[place] === kept.id) ?? 'kept'
  return { ...presentRelease(kept), state, size: kept.size, stored_at: kept.createdAt.toISOString() }
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
    icon: iconUrlOf(plugin, release),
  }
}

function presentRoutes({ name, admin_routes = [], tenant_routes = [], public_routes = [] }: PluginManifest) {
  const list = (prefix: string, routes: readonly Pick<PluginRoute, 'method' | 'path'>[]) =>
    routes.map(({ method, path }) => `${method} ${prefix}/plugins/${name}/api${path}`)
  return [...list('/admin', admin_routes), ...list('/tenant', tenant_routes), ...list('/api/public', public_routes)]
}

function presentAssignment({ tenantId, enabledByTenant, capabilitiesDenied }: AssignmentRow) {
  return { tenant_id: tenantId, enabled: enabledByTenant, capabilities_denied: capabilitiesDenied }
}
