/** When the authors of plugins saved what runs, of the last release of each: how long it took to be seen is theirs to know. */
export class SaveTimes {
  readonly #last = new Map<string, { readonly release: string; readonly at: number }>()

  note(plugin: string, release: string, at: number): void {
    this.#last.set(plugin, { release, at })
  }

  /** In milliseconds since 1970; undefined for a release that came otherwise. */
  of(plugin: string, release: string): number | undefined {
    const last = this.#last.get(plugin)
    return last?.release === release ? last.at : undefined
  }
}
