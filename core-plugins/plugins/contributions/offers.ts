import type { Capability, GateUse, Sandbox } from '#sandbox'
import { LicenseRequiredError } from '../licences/errors.ts'
import type { LoadedPlugin } from '../running/loaded-plugin.ts'
import type { RunningState } from '../running/running-state.ts'

/** For whom what a plugin provides is there. */
export class Offers {
  readonly #state: RunningState
  readonly #sandbox: Pick<Sandbox, 'isPaused'>

  constructor(state: RunningState, sandbox: Pick<Sandbox, 'isPaused'>) {
    this.#state = state
    this.#sandbox = sandbox
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
      this.#state.gate(release.name, tenantId, use).open &&
      !grants.deniedFor(tenantId).has(capability)
    )
  }

  /** Throws 403/4038 where the plugin runs for a tenant and only a licence is missing. */
  requireLicensed({ release }: LoadedPlugin, tenantId: number, use: GateUse): void {
    const gate = this.#state.gate(release.name, tenantId, use)
    if (!gate.open && gate.error instanceof LicenseRequiredError) throw gate.error
  }

  /** Whether the plugin failed so often that it is not asked now. */
  isPaused({ release }: LoadedPlugin): boolean {
    return this.#sandbox.isPaused(release.name)
  }
}
