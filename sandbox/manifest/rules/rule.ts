import type { Report } from '../fault.ts'
import type { PluginManifest } from '../plugin-manifest.ts'

/** What the schema cannot say: a rule over the fields in `reads`, checked once each of them has its right form. */
export interface Rule {
  readonly reads: readonly (keyof PluginManifest)[]
  check(manifest: PluginManifest, report: Report): void
}

/** Reports every entry whose key was there before. */
export function reportDuplicates<T>(
  entries: readonly T[],
  keyOf: (entry: T) => string,
  report: (index: number, key: string) => void,
): void {
  const seen = new Set<string>()
  entries.forEach((entry, index) => {
    const key = keyOf(entry)
    if (seen.has(key)) report(index, key)
    seen.add(key)
  })
}
