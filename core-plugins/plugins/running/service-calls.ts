import { AppError } from '#kernel'
import { findServiceMethod, type Sandbox, type ServiceCall } from '#sandbox'
import { satisfies } from 'semver'
import { ServiceFailedError } from '../shared/errors.ts'
import type { PluginLoader } from './plugin-loader.ts'
import type { RunningState } from './running-state.ts'

const capability = 'services:provide'

/** What calls of one plugin to another go through, once it is there. */
interface ServiceParts {
  readonly state: Pick<RunningState, 'gate' | 'deniedFor'>
  readonly loader: Pick<PluginLoader, 'find'>
  readonly sandbox: Pick<Sandbox, 'answer'>
}

/** Brings plugins together: the one that asks was granted the service, the one that answers runs for the same tenant and was granted to provide it. */
export class ServiceCalls {
  #parts: ServiceParts | undefined

  /** From now on calls find their plugins. */
  open(parts: ServiceParts): void {
    this.#parts = parts
  }

  /** Undefined where nobody provides it for the tenant: the same for a plugin that is not there, not this tenant's, or of another version. */
  readonly call = async (call: ServiceCall): Promise<unknown> => {
    const { plugin: from, provider: name, service, method, range, input, tenant, hop, traceId, signal } = call
    const tenantId = tenant?.id ?? 0
    const plugin = this.#parts?.loader.find(name)
    if (!this.#parts || !plugin) return undefined
    const { state, sandbox } = this.#parts
    const { release, grants } = plugin
    const isProvided = grants.capabilities.has(capability) && !state.deniedFor(name, tenantId).has(capability)
    if (!isProvided || !state.gate(name, tenantId).open) return undefined
    const found = findServiceMethod(release.manifest, service, method)
    if (!found || !satisfies(found.version, range)) return undefined
    const { handler, timeoutMs } = found.method
    const asked = found.toInput(from, input)
    try {
      const text = await sandbox.answer({
        ...{ release, grants, tenant, hop, traceId, signal },
        target: { kind: 'service', name: handler },
        input: asked,
        ...(timeoutMs === undefined ? {} : { wallMs: timeoutMs }),
      })
      return found.toOutput(text) ?? null
    } catch (error) {
      throw isItsOwn(error) ? new ServiceFailedError({ cause: error }) : error
    }
  }
}

/** The plugin that answers failed by itself: no fault of the one that asks, and none of the platform's. */
function isItsOwn(error: unknown): boolean {
  return error instanceof AppError && (error.status === 500 || error.status === 504)
}
