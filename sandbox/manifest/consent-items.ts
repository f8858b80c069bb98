import { rowOf, type Capability } from '../capabilities/table.ts'
import { hashOf } from './canonical-json.ts'
import type { PluginManifest } from './plugin-manifest.ts'

/** One thing an administrator is asked to allow. */
export interface ConsentItem {
  /** A capability, or one of `routes`, `limits`, and `licensing` of a plugin that is used for money. */
  readonly capability: Capability | 'routes' | 'limits' | 'licensing'
  /** A tenant may refuse it and still use the plugin. */
  readonly optional: boolean
  readonly reason: string | undefined
  /** What exactly: hosts, tables, events, paths, bounds. */
  readonly detail: unknown
  /** A grant holds for this detail; another one asks again. */
  readonly detailHash: string
}

/** Everything an administrator sees before a plugin is installed for the first time. */
export function consentItems(manifest: PluginManifest): ConsentItem[] {
  const { reasons = {}, limits = {}, admin_routes = [], tenant_routes = [], public_routes = [] } = manifest
  const item = (capability: ConsentItem['capability'], optional: boolean, detail: unknown): ConsentItem => {
    const reason = reasons[capability]
    return { capability, optional, reason, detail, detailHash: hashOf(detail ?? null) }
  }
  const detailOf = (capability: Capability): unknown => rowOf(capability).detail?.(manifest) ?? {}
  const paths = (list: readonly { method: string; path: string }[]) =>
    list.map(({ method, path }) => `${method} ${path}`)
  return [
    ...manifest.capabilities.map((capability) => item(capability, false, detailOf(capability))),
    ...(manifest.optionalCapabilities ?? []).map((capability) => item(capability, true, detailOf(capability))),
    item('routes', false, {
      admin: paths(admin_routes),
      tenant: paths(tenant_routes),
      public: paths(public_routes),
    }),
    item('limits', false, limits),
    ...(manifest.licensing?.type === 'commercial' ? [item('licensing', false, { type: 'commercial' })] : []),
  ]
}
