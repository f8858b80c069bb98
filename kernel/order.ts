import { circularNeeds, missingService } from './programming-errors.ts'
import type { Plugin } from './plugin.ts'

/** Puts plugins after the providers of what they need, otherwise in the order given. */
export function orderPlugins(plugins: readonly Plugin[], provided: ReadonlySet<string>): readonly Plugin[] {
  const providers = new Map(plugins.flatMap((plugin) => (plugin.provides ?? []).map(({ id }) => [id, plugin] as const)))
  const ordered = new Set<Plugin>()
  const path: Plugin[] = []

  function visit(plugin: Plugin): void {
    if (ordered.has(plugin)) return
    if (path.includes(plugin)) throw circularNeeds([...path, plugin].map(({ name }) => name))
    path.push(plugin)
    for (const { id } of Object.values(plugin.needs ?? {})) {
      const provider = providers.get(id)
      if (provider) visit(provider)
      else if (!provided.has(id)) throw missingService(id)
    }
    path.pop()
    ordered.add(plugin)
  }

  for (const plugin of plugins) visit(plugin)
  return [...ordered]
}
