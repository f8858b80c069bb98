import type { PluginRow, ReleaseRow } from './models.ts'

/** Enough of a hash to tell pictures apart. */
const versionDigits = 12

/** The SHA-256 of a plugin's picture: an administrator's, else the package's; undefined without one. */
export function iconHashOf(
  { icon }: Pick<PluginRow, 'icon'>,
  { manifest, files }: Pick<ReleaseRow, 'manifest' | 'files'>,
): string | undefined {
  return icon?.sha256 ?? (manifest.icon === undefined ? undefined : files[manifest.icon])
}

/** Where a plugin's picture is read; it changes with the picture. Null without one. */
export function iconUrlOf(plugin: PluginRow, release: ReleaseRow): string | null {
  const hash = iconHashOf(plugin, release)
  return hash === undefined ? null : `/plugins/${plugin.name}/icon?v=${hash.slice(0, versionDigits)}`
}
