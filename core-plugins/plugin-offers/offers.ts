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
