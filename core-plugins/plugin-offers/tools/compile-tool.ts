import {
  compileToolCheck,
  sandboxLimits,
  permissionCode,
  type AiTool,
  type PluginManifest,
  type ToolCheck,
} from '#sandbox'
import type { PluginTool } from '../contract.ts'

/** A tool with the checks of what goes in and out. */
export interface CompiledTool {
  readonly shown: PluginTool
  /** The export that is called. */
  readonly handler: string
  readonly check: ToolCheck
}

/** The tools of a manifest by their names; schemas were held to a safe subset when the plugin was installed. */
export function compileTools(manifest: PluginManifest): ReadonlyMap<string, CompiledTool> {
  return new Map((manifest.provides?.aiTools ?? []).map((tool) => [tool.name, compileTool(manifest, tool)]))
}

function compileTool({ name: plugin, title: pluginTitle }: PluginManifest, tool: AiTool): CompiledTool {
  const { name, title = { default: name }, description, input, output, handler } = tool
  const { effect = 'read', confirm = effect === 'read' ? 'never' : 'write', quotaCost = 1 } = tool
  return {
    shown: {
      ...{ plugin, pluginTitle, name, title, description, input, output, effect, confirm, quotaCost },
      permission: tool.permission === undefined ? undefined : permissionCode(plugin, tool.permission),
      timeoutMs: tool.timeoutMs ?? sandboxLimits.wallMs.default,
    },
    handler,
    check: compileToolCheck(tool),
  }
}
