import type { ReleaseWatch } from '#sandbox'

/** What a release's calls on this host came to since they were last taken. */
export interface ReleaseCount {
  readonly plugin: string
  readonly calls: number
  readonly errors: number
  readonly kills: number
}

interface Count {
  calls: number
  errors: number
  kills: number
}

/** What is known of a release that is watched. */
interface CountedRelease {
  readonly name: string
  readonly treeHash: string
}

/** Counts the calls of the releases that run here; the release that runs is the only one that is judged. */
export class ReleaseCounts implements ReleaseWatch {
  #counts = new Map<string, Count>()

  called({ name, treeHash }: CountedRelease, sign: 'ok' | 'error' | 'limit'): void {
    const count = this.#of(name, treeHash)
    count.calls += 1
    if (sign !== 'ok') count.errors += 1
  }

  killed(plugin: string): void {
    this.#of(plugin).kills += 1
  }

  /** What was counted of these releases since the last time; of others nothing is kept. */
  take(releases: readonly CountedRelease[]): readonly ReleaseCount[] {
    const counts = this.#counts
    this.#counts = new Map()
    return releases.flatMap(({ name, treeHash }) => {
      const own = counts.get(keyOf(name, treeHash))
      const kills = counts.get(keyOf(name))?.kills ?? 0
      if (!own && kills === 0) return []
      return { plugin: name, calls: own?.calls ?? 0, errors: own?.errors ?? 0, kills }
    })
  }

  #of(plugin: string, treeHash?: string): Count {
    const key = keyOf(plugin, treeHash)
    const count = this.#counts.get(key) ?? { calls: 0, errors: 0, kills: 0 }
    this.#counts.set(key, count)
    return count
  }
}

/** Who brings its sandbox down is known by name alone. */
function keyOf(plugin: string, treeHash = ''): string {
  return `${plugin} ${treeHash}`
}
