import { AppError, type Scope } from '#kernel'
import type { GateUse, Sandbox } from '#sandbox'
import type { LoadedPlugin } from '../../plugins/contract.ts'
import type { PluginTool, PluginToolName, PluginTools, ToolCaller, ToolOutcome } from '../contract.ts'
import type { Offers } from '../offers.ts'
import { callTool } from './call-tool.ts'
import { compileTools, type CompiledTool } from './compile-tool.ts'
import { ToolNotFoundError } from '../errors.ts'

interface Entry {
  readonly plugin: LoadedPlugin
  readonly tools: ReadonlyMap<string, CompiledTool>
}

/** The tools of the plugins that run on this host. */
export class ToolTable implements PluginTools {
  readonly #offers: Offers
  readonly #sandbox: Pick<Sandbox, 'call'>
  readonly #entries = new Map<string, Entry>()

  constructor(offers: Offers, sandbox: Pick<Sandbox, 'call'>) {
    this.#offers = offers
    this.#sandbox = sandbox
  }

  /** Makes a plugin's tools known for as long as it runs. */
  contribute(scope: Pick<Scope, 'register'>, plugin: LoadedPlugin): void {
    const tools = compileTools(plugin.release.manifest)
    if (tools.size === 0 || !this.#offers.isGranted(plugin, 'ai:tool')) return
    const { name } = plugin.release
    scope.register(() => {
      this.#entries.set(name, { plugin, tools })
      return { [Symbol.dispose]: () => void this.#entries.delete(name) }
    })
  }

  list(tenantId: number): readonly PluginTool[] {
    return [...this.#entries.values()]
      .flatMap(({ plugin, tools }) =>
        [...tools.values()].flatMap(({ shown }) =>
          this.#offers.isOffered(plugin, 'ai:tool', tenantId, useOf(shown)) ? [shown] : [],
        ),
      )
      .sort((a, b) => (`${a.plugin} ${a.name}` < `${b.plugin} ${b.name}` ? -1 : 1))
  }

  async call({ plugin: pluginName, name }: PluginToolName, input: unknown, caller: ToolCaller): Promise<ToolOutcome> {
    try {
      const entry = this.#entries.get(pluginName)
      const tool = entry?.tools.get(name)
      if (!entry || !tool || !this.#offers.isOffered(entry.plugin, 'ai:tool', caller.tenant.id, 'view'))
        throw new ToolNotFoundError({ tool: name })
      this.#offers.requireLicensed(entry.plugin, caller.tenant.id, useOf(tool.shown))
      return { ok: true, content: await callTool(this.#sandbox, { plugin: entry.plugin, tool, input, caller }) }
    } catch (error) {
      if (error instanceof AppError) return toValue(error)
      throw error
    }
  }
}

/** What only reads goes on when a licence is over. */
function useOf({ effect }: PluginTool): GateUse {
  return effect === 'read' ? 'read' : 'write'
}

function toValue({ code, reason, message, errors }: AppError): ToolOutcome {
  return { ok: false, code, reason, message, ...(errors && { errors }) }
}
