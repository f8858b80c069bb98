import type { PreparedPlugin } from './prepared-plugin.ts'
import type { Release } from './services.ts'
import type { Grants } from './grants.ts'

type Named = Pick<Release, 'name' | 'treeHash'>

interface Entry {
  prepared: PreparedPlugin | undefined
  /** What sandbox hosts were taught of it. */
  readonly codes: Set<string>
  /** While it is being let go of; aborted when it is wanted again. */
  leaving: AbortController | undefined
}

/** Drops one code once its calls have ended; an aborted signal leaves it as it is. */
type DropCode = (code: string, signal: AbortSignal) => Promise<void>

/** The releases that were called here: of each plugin the one that runs, and those whose last calls have not ended. */
export class KnownReleases {
  readonly #plugins = new Map<string, Map<string, Entry>>()
  readonly #current = new Map<string, string>()

  /** From now on this release is the plugin's. */
  adopt({ name, treeHash }: Named): void {
    this.#plugins.get(name)?.get(treeHash)?.leaving?.abort()
    this.#current.set(name, treeHash)
  }

  /** Whether another release took its place. */
  isOutdated({ name, treeHash }: Named): boolean {
    const current = this.#current.get(name)
    return current !== undefined && current !== treeHash
  }

  /** What was prepared of a release under these grants. */
  find(release: Release, grants: Grants): PreparedPlugin | undefined {
    const prepared = this.#plugins.get(release.name)?.get(release.treeHash)?.prepared
    return prepared?.grants === grants && prepared.release === release ? prepared : undefined
  }

  keep(prepared: PreparedPlugin): void {
    this.#entryOf(prepared.release).prepared = prepared
  }

  /** A call is about to teach a sandbox host this code. */
  taught(release: Named, code: string): void {
    this.#entryOf(release).codes.add(code)
  }

  /** Whether anything of a plugin was called here. */
  wasCalled(name: string): boolean {
    return [...(this.#plugins.get(name)?.values() ?? [])].some(({ codes }) => codes.size > 0)
  }

  /** Lets go of a release, unless that is happening already or it is adopted again meanwhile. */
  async retire({ name, treeHash }: Named, drop: DropCode): Promise<void> {
    const entry = this.#plugins.get(name)?.get(treeHash)
    if (!entry || entry.leaving) return
    const leaving = new AbortController()
    entry.leaving = leaving
    const codes = [...entry.codes]
    await Promise.all(codes.map((code) => drop(code, leaving.signal)))
    entry.leaving = undefined
    if (leaving.signal.aborted) return
    entry.prepared = undefined
    for (const code of codes) entry.codes.delete(code)
    if (entry.codes.size === 0) this.#plugins.get(name)?.delete(treeHash)
  }

  /** Forgets all of a plugin; answers the codes that sandbox hosts still know. */
  forget(name: string): readonly string[] {
    const entries = [...(this.#plugins.get(name)?.values() ?? [])]
    this.#plugins.delete(name)
    this.#current.delete(name)
    return entries.flatMap(({ codes }) => [...codes])
  }

  #entryOf({ name, treeHash }: Named): Entry {
    const releases = this.#plugins.get(name) ?? new Map<string, Entry>()
    this.#plugins.set(name, releases)
    const entry = releases.get(treeHash) ?? { prepared: undefined, codes: new Set<string>(), leaving: undefined }
    releases.set(treeHash, entry)
    return entry
  }
}
