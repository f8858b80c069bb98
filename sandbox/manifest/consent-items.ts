import { hashOf } from './canonical-json.ts'
import type { PluginManifest } from './plugin-manifest.ts'
import type { Capability } from './vocabulary.ts'

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
  const paths = (list: readonly { method: string; path: string }[]) =>
    list.map(({ method, path }) => `${method} ${path}`)
  return [
    ...manifest.capabilities.map((capability) => item(capability, false, detailOf(manifest, capability))),
    ...(manifest.optionalCapabilities ?? []).map((capability) =>
      item(capability, true, detailOf(manifest, capability)),
    ),
    item('routes', false, {
      admin: paths(admin_routes),
      tenant: paths(tenant_routes),
      public: paths(public_routes),
    }),
    item('limits', false, limits),
    ...(manifest.licensing?.type === 'commercial' ? [item('licensing', false, { type: 'commercial' })] : []),
  ]
}

function detailOf(manifest: PluginManifest, capability: Capability): unknown {
  const { http, storage, db, events, schedules, config, slots = [], provides = {}, licensing } = manifest
  switch (capability) {
    case 'http':
      return { hosts: http?.hosts ?? [] }
    case 'storage':
      return storage ?? {}
    case 'db:own_tables':
      return { tables: db?.tables ?? [], rowsHint: db?.rowsHint }
    case 'events':
      return { publish: events?.publish ?? [], subscribe: events?.subscribe ?? [] }
    case 'schedule':
      return { schedules: (schedules ?? []).map(({ id, cron, timezone = 'UTC' }) => ({ id, cron, timezone })) }
    case 'config':
      return { items: (config ?? []).map(({ key, type, scope }) => ({ key, type, scope })) }
    case 'ui':
      return { slots: slots.map(({ slot, id, area = 'tenant' }) => ({ slot, id, area })) }
    case 'captcha':
      return { code: provides.captcha?.code }
    case 'ai:tool':
      return { tools: (provides.aiTools ?? []).map(({ name, effect = 'read' }) => ({ name, effect })) }
    case 'ai:provider':
      return { providers: (provides.aiProviders ?? []).map(({ code }) => code) }
    case 'storage:driver':
      return { drivers: (provides.storageDrivers ?? []).map(({ name }) => name) }
    case 'license':
      return { type: licensing?.type ?? 'free' }
    case 'http:any':
    case 'ai:invoke':
    case 'users:read_basic':
    case 'notify':
      return {}
  }
}
