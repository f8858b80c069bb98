import type { PluginManifest } from '#sandbox'
import type { PluginRow } from './models.ts'

/** A plugin's menu entries as they are shown, with what administrators chose otherwise than the package. */
export function presentMenu({ menuConfig }: Pick<PluginRow, 'menuConfig'>, manifest: PluginManifest, locale: string) {
  return (manifest.menu ?? []).map(({ id, title, area, slot, order = null, icon = null }) => {
    const overrides = Object.hasOwn(menuConfig, id) ? (menuConfig[id] ?? {}) : {}
    const shown = overrides.title ?? title
    return {
      ...{ id, area, slot, icon },
      title: shown[locale] ?? shown.default,
      order: overrides.order ?? order,
      hidden: overrides.hidden ?? false,
      overrides,
    }
  })
}
