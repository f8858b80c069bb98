import type { Plugin } from '#kernel'
import { corePlugins } from './index.ts'

/** The core plugins but those of such names, and but whatever cannot do without them. */
export function corePluginsWithout(names: RegExp): readonly Plugin[] {
  return remaining(
    corePlugins.filter(({ name }) => names.test(name)),
    corePlugins.filter(({ name }) => !names.test(name)),
  )
}

function remaining(absent: readonly Plugin[], plugins: readonly Plugin[]): readonly Plugin[] {
  const missing = new Set(absent.flatMap(({ provides = [] }) => provides.map(({ id }) => id)))
  const needy = plugins.filter(({ needs = {} }) => Object.values(needs).some(({ id }) => missing.has(id)))
  if (needy.length === 0) return plugins
  return remaining(
    needy,
    plugins.filter((plugin) => !needy.includes(plugin)),
  )
}
