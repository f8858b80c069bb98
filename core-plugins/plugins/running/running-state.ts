import { RouteNotFoundError } from '#kernel'
import { notRunningError, type Capability, type Gate, type GuestLicense } from '#sandbox'
import type { DesiredPlugin } from './desired-state.ts'

const OPEN = { open: true } as const
const NOTHING: ReadonlySet<never> = new Set()

/** What this host knows of what is wanted; every call asks it, so it answers from memory. */
export class RunningState {
  #plugins: ReadonlyMap<string, DesiredPlugin> = new Map()

  /** What was read last. */
  get plugins(): ReadonlyMap<string, DesiredPlugin> {
    return this.#plugins
  }

  /** Takes over what was read anew; calls see all of it from now on. */
  replace(plugins: ReadonlyMap<string, DesiredPlugin>): void {
    this.#plugins = plugins
  }

  /** Whether a plugin runs for a tenant: disabled, unassigned or refused by the tenant, its routes are not there. */
  readonly gate: Gate = (name, tenantId) => {
    const plugin = this.#plugins.get(name)
    if (!plugin || !isWanted(plugin) || !isFor(plugin, tenantId))
      return { open: false, error: new RouteNotFoundError() }
    if (plugin.status === 'quarantined') return { open: false, error: notRunningError('quarantined') }
    return OPEN
  }

  /** The optional capabilities that a tenant refused a plugin. */
  deniedFor(name: string, tenantId: number): ReadonlySet<Capability> {
    const denied = this.#plugins.get(name)?.tenants.get(tenantId)?.denied
    return (denied as ReadonlySet<Capability> | undefined) ?? NOTHING
  }

  /** How a plugin is licensed for a tenant: of licences no more is known than their state. */
  licenseOf(name: string, tenantId: number): GuestLicense {
    const state = this.#plugins.get(name)?.tenants.get(tenantId)?.licenseState ?? 'none'
    return { state: state as GuestLicense['state'], features: [], expiresAt: null }
  }

  /** Whether a plugin that is enabled is there for a tenant, enabled by it or not. */
  isShown(name: string, tenantId: number): boolean {
    const plugin = this.#plugins.get(name)
    if (!plugin || !isWanted(plugin)) return false
    return tenantId === 0 || plugin.scope === 'platform' || plugin.tenants.has(tenantId)
  }
}

/** Whether hosts should load a plugin; a quarantined one keeps its routes, which answer 503. */
export function isWanted({ status, removing }: DesiredPlugin): boolean {
  return !removing && (status === 'enabled' || status === 'quarantined')
}

function isFor({ scope, tenants }: DesiredPlugin, tenantId: number): boolean {
  return tenantId === 0 || scope === 'platform' || tenants.get(tenantId)?.isEnabled === true
}
