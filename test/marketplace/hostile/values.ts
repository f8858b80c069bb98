import type { Changes } from '../../sandbox/manifest-samples.ts'
import { withManifest, type Cases } from './forge.ts'

/** Fields of a manifest that is refused, by what is wrong with them. */
export type Values = Readonly<Record<string, Changes>>

/** One manifest for each value. */
export function each<T>(what: string, values: readonly T[], changes: (value: T) => Changes): Values {
  return Object.fromEntries(values.map((value) => [`${what} ${JSON.stringify(value)?.slice(0, 80)}`, changes(value)]))
}

/** So many of something. */
export const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** Packages with such manifests. */
export const packagesOf = (values: Values): Cases =>
  Object.fromEntries(Object.entries(values).map(([name, changes]) => [name, () => withManifest(changes)]))
