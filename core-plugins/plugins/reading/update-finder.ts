/** What an index offers for an installed plugin. */
export interface FoundUpdate {
  /** The newest version that fits this platform. */
  readonly version: string
  /** Whether it closes a hole of the version that runs. */
  readonly security: boolean
}

/** Knows which installed plugins could be newer, from what was last read of the index sources: it asks nobody. */
export interface UpdateFinder {
  findUpdates(names: readonly string[]): Promise<ReadonlyMap<string, FoundUpdate>>
}
