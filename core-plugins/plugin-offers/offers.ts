import type { Capability, GateUse } from '#sandbox'
import type { LoadedPlugin, PluginRuntime } from '../plugins/contract.ts'

/** For whom what a plugin provides is there. */
export class Offers {
  readonly #runtime: Pick<PluginRuntime, 'gate' | 'isPaused'>

  constructor(runtime: Pick<PluginRuntime, 'gate' | 'isPaused'>) {
    this.#runtime = runtime
  }

  /** Whether an administrator granted what a plugin wants to provide. */
  isGranted({ grants }: LoadedPlugin, capability: Capability): boolean {
    return grants.capabilities.has(capability)
  }

  /** Whether the plugin runs for a tenant (0 = the platform), licensed for the use, and the tenant did not refuse the capability. */
  isOffered(plugin: LoadedPlugin, capability: Capability, tenantId: number, use: GateUse = 'write'): boolean {
    const { release, grants } = plugin
    return (
      this.isGranted(plugin, capability) &&
      this.#runtime.gate(release.name, tenantId, use).open &&
      !grants.deniedFor(tenantId).has(capability)
    )
  }

  /**
   * How what a plugin provides stands for a tenant: `elsewhere` where the plugin runs, and the tenant does not have it or refused the
   * capability; `away` where it should be there and cannot.
   */
  standing(plugin: LoadedPlugin, capability: Capability, tenantId: number): 'there' | 'elsewhere' | 'away' {
    const { release, grants } = plugin
    if (!this.isGranted(plugin, capability) || grants.deniedFor(0).has(capability)) return 'away'
    const own = this.#runtime.gate(release.name, tenantId)
    if (own.open) return grants.deniedFor(tenantId).has(capability) ? 'elsewhere' : 'there'
    return own.error.status === 404 && !this.#isAbsent(release.name) ? 'elsewhere' : 'away'
  }

  #isAbsent(name: string): boolean {
    const whole = this.#runtime.gate(name, 0)
    return !whole.open && whole.error.status === 404
  }

  /** Throws 403/4038 where the plugin runs for a tenant and only a licence is missing. */
  requireLicensed({ release }: LoadedPlugin, tenantId: number, use: GateUse): void {
    const gate = this.#runtime.gate(release.name, tenantId, use)
    if (!gate.open && gate.error.reason === 'license_required') throw gate.error
  }

  /** Whether the plugin failed so often that it is not asked now. */
  isPaused({ release }: LoadedPlugin): boolean {
    return this.#runtime.isPaused(release.name)
  }
}
