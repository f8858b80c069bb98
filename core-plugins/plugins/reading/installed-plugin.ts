import type { PluginRow, ReleaseRow } from '../shared/models.ts'

/** A plugin with the release that is active. */
export interface InstalledPlugin {
  readonly plugin: PluginRow
  readonly release: ReleaseRow
  /** A release that waits for a consent while this one runs. */
  readonly pending?: ReleaseRow | undefined
}
