import type { Capability, Sandbox } from '#sandbox'
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

  /** Whether the plugin runs for a tenant (0 = the platform), and the tenant did not refuse the capability. */
  isOffered(plugin: LoadedPlugin, capability: Capability, tenantId: number): boolean {
    const { release, grants } = plugin
    return (
      this.isGranted(plugin, capability) &&
      this.#state.gate(release.name, tenantId).open &&
      !grants.deniedFor(tenantId).has(capability)
    )
  }

  /** Whether the plugin failed so often that it is not asked now. */
  isPaused({ release }: LoadedPlugin): boolean {
    return this.#sandbox.isPaused(release.name)
  }
}
