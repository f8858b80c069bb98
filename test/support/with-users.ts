import type { Kernel, Plugin } from '#kernel'
import { corePlugins } from '../../core-plugins/index.ts'

/** Disables core plugins with all that need them, the last enabled first; answers what was disabled, in the order to enable it in. */
export async function disableWithUsers(kernel: Kernel, ...names: readonly string[]): Promise<readonly Plugin[]> {
  const affected = new Set<Plugin>()
  for (const { name } of kernel.manifests) {
    const plugin = corePlugins.find((candidate) => candidate.name === name)
    if (plugin && (names.includes(name) || needsOneOf(plugin, affected))) affected.add(plugin)
  }
  for (const { name } of [...affected].toReversed()) await kernel.disable(name)
  return [...affected]
}

function needsOneOf({ needs = {} }: Plugin, providers: ReadonlySet<Plugin>): boolean {
  const needed = new Set(Object.values(needs).map(({ id }) => id))
  return [...providers].some(({ provides = [] }) => provides.some(({ id }) => needed.has(id)))
}

/** Enables again what was disabled. */
export async function enableAgain(kernel: Kernel, plugins: readonly Plugin[]): Promise<void> {
  for (const plugin of plugins) await kernel.enable(plugin)
}
