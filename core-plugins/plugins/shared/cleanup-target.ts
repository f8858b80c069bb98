import type { PluginManifest } from '#sandbox'

/** What is being removed; of an orphan only the name is known. */
export interface CleanupTarget {
  readonly name: string
  readonly id: number | null
  readonly version: string | undefined
  readonly manifest: PluginManifest | undefined
  readonly purge: boolean
  readonly isForced: boolean
}
