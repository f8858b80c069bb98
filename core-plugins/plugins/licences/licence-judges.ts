import type { PluginRow } from '../shared/models.ts'

/** Whether a source is heard that revoked a licence. */
export type Hears = (source: string) => boolean

/** Says which sources may take a plugin's licences back. */
export interface LicenceJudges {
  /** Who is heard about licences of a plugin that the key `kid` signed. */
  of(plugin: Pick<PluginRow, 'name' | 'activeRelease' | 'source'>, kid: string): Promise<Hears>
}
