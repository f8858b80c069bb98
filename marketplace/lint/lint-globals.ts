import { LineMap } from '#sandbox'
import { bundle, type Bundle } from '../pack/bundle.ts'
import { packageOf } from '../pack/package-of.ts'
import { absentGlobals, describeAbsence } from './absent-globals.ts'
import type { Finding } from './finding.ts'

const prefix = 'stoa_absent_'
const marks = Object.fromEntries(absentGlobals.map((name) => [name, `${prefix}${name}`]))

/** What one package uses of one global. */
interface PackageUse {
  readonly name: string
  readonly file: string
  readonly line: number
  places: number
}

/** A bundle of a plugin in which the globals that no plugin has can be told from names that are written alike. */
export function bundleToLint(directory: string, source: string, hostModules: readonly string[]): Promise<Bundle> {
  return bundle(directory, source, { hostModules, marks })
}

/** Finds what modules in such a bundle use of Node and of browsers that no plugin has, where they do not ask for it first. */
export async function lintGlobals({ code, map }: Pick<Bundle, 'code' | 'map'>): Promise<readonly Finding[]> {
  const text = code.toString('utf8')
  if (!text.includes(prefix)) return []
  const lines = LineMap.parse(map.toString('utf8'))
  // Only here: the compiler is large.
  const { findUses } = await import('./find-uses.ts')
  const found = new Map<string, PackageUse>()
  for (const { name, line, column } of findUses(text, marks)) {
    const place = lines?.find(line, column)
    const package_ = packageOf(place?.source)
    // The author's own sources are looked at as they are written.
    if (!place || package_ === undefined) continue
    const use = found.get(`${package_} ${name}`)
    if (use) use.places++
    else found.set(`${package_} ${name}`, { name, file: place.source, line: place.line, places: 1 })
  }
  return [...found.values()].map(tell)
}

function tell({ name, file, line, places }: PackageUse): Finding {
  const more = places === 1 ? '' : ` There ${places === 2 ? 'is 1 more place' : `are ${places - 1} more places`}.`
  const message = `${describeAbsence(name, file) ?? ''} What comes to this line fails.${more}`
  return { level: 'warning', rule: 'absent_global', file, line, message }
}
