import type { Principal } from '#kernel'
import { notRunningError, type Capability, type Gate, type GuestLicense } from '#sandbox'
import { LicenseRequiredError } from '../shared/errors.ts'
import { absenceOf } from './absence.ts'
import type { DesiredPlugin } from './desired-state.ts'
import { freeBook, LicenceSlot } from './licence-slot.ts'

const open = { open: true } as const
const nothing: ReadonlySet<never> = new Set()

/** What this host knows of what is wanted; every call asks it, so it answers from memory. */
export class RunningState {
  #plugins: ReadonlyMap<string, DesiredPlugin> = new Map()
  #revision = 0
  /** Gates that stay closed until the release they were closed for has come. */
  readonly #held = new Set<string>()
  readonly #clock: Pick<LicenceSlot, 'now'>

  constructor(clock: Pick<LicenceSlot, 'now'> = new LicenceSlot()) {
    this.#clock = clock
  }

  /** Whether anything was read yet. */
  get isKnown(): boolean {
    return this.#revision > 0
  }

  /** How often it was read. */
  get revision(): number {
    return this.#revision
  }

  /** What was read last. */
  get plugins(): ReadonlyMap<string, DesiredPlugin> {
    return this.#plugins
  }

  /** Takes over what was read anew; calls see all of it from now on. */
  replace(plugins: ReadonlyMap<string, DesiredPlugin>): void {
    this.#plugins = plugins
    this.#revision++
  }

  /** Keeps a plugin's calls out although its gate is open again: what runs is not what they are for. */
  hold(name: string): void {
    this.#held.add(name)
  }

  /** Lets calls in again. */
  release(name: string): void {
    this.#held.delete(name)
  }

  /** Whether a plugin is between two releases that cannot both be served. */
  isGated(name: string): boolean {
    return this.#held.has(name) || (this.#plugins.get(name)?.gate ?? null) !== null
  }

  /** Whether a plugin runs for a tenant: disabled, unassigned or refused by the tenant, its routes are not there; unlicensed, they are closed. */
  readonly gate: Gate = (name, tenantId, use = 'write', asker?: Principal) => {
    const plugin = this.#plugins.get(name)
    if (!plugin || !isWanted(plugin) || !isFor(plugin, tenantId)) {
      return { open: false, error: absenceOf(plugin, tenantId, asker) }
    }
    if (plugin.status === 'quarantined') return { open: false, error: notRunningError('quarantined') }
    if (this.isGated(name)) return { open: false, error: notRunningError('upgrading') }
    const now = this.#clock.now()
    if (plugin.licences.allows(tenantId, use, now)) return open
    const { state } = plugin.licences.of(tenantId, now)
    return { open: false, error: new LicenseRequiredError({ details: { state } }) }
  }

  /**
   * The capabilities that a plugin does not have for a tenant (0 = the platform), whatever it was loaded with: what an administrator
   * took back, also while this host cannot load the plugin anew, and the optional ones that the tenant refused.
   */
  deniedFor(name: string, tenantId: number): ReadonlySet<Capability> {
    const plugin = this.#plugins.get(name)
    const denied = plugin?.tenants.get(tenantId)?.denied ?? plugin?.withheld
    return (denied as ReadonlySet<Capability> | undefined) ?? nothing
  }

  /** How a plugin is licensed for a tenant. */
  licenseOf(name: string, tenantId: number): GuestLicense {
    const { licences = freeBook } = this.#plugins.get(name) ?? {}
    const { state, features, expiresAt } = licences.of(tenantId, this.#clock.now())
    return { state, features, expiresAt }
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
