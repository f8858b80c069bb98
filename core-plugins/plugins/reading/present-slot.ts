import type { Principal } from '#kernel'
import { permissionCode, type Slot } from '#sandbox'
import { iconUrlOf } from '../shared/icon-url.ts'
import type { SaveTimes } from '../shared/save-times.ts'
import type { InstalledPlugin } from './installed-plugin.ts'
import { localised } from './present.ts'

/** An entry of a plugin as whoever shows it needs it: what it is, whose, and what the caller may do in it. */
export function presentSlot(
  { plugin, release }: InstalledPlugin,
  slot: Slot,
  principal: Pick<Principal, 'can'>,
  { locale, saves }: { readonly locale: string; readonly saves: SaveTimes | undefined },
) {
  const { manifest } = release
  const held = (manifest.permissions ?? []).filter(({ code }) => principal.can(permissionCode(plugin.name, code)))
  return {
    plugin: plugin.name,
    id: slot.id,
    area: slot.area ?? 'tenant',
    title: localised(slot.title ?? manifest.title, locale),
    url: `/plugin-ui/${plugin.name}/${release.treeHash}/${slot.entry}`,
    size: slot.size ?? null,
    version: release.version,
    release_hash: release.treeHash,
    plugin_title: localised(manifest.title, locale),
    icon: iconUrlOf(plugin, release),
    publisher: manifest.publisher,
    trust: release.trust,
    ...(saves && { in_development: true, saved_at: saves.of(plugin.name, release.treeHash) ?? null }),
    // The plugin's own codes, without its name.
    permissions: held.map(({ code }) => code),
  }
}
