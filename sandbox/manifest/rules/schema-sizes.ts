import type { PluginManifest } from '../plugin-manifest.ts'

/** Each part takes a third of a millisecond of the host's process before the manifest is accepted, and again in each host. */
const mostParts = 2_000

/** Says why the schemas of a manifest, all together, are more than a host compiles. */
export function schemaSizeFault({ provides, preferences = [] }: Pick<PluginManifest, 'provides' | 'preferences'>) {
  const tools = (provides?.aiTools ?? []).flatMap(({ input, output }) => [input, output])
  const methods = (provides?.services ?? []).flatMap((service) => service.methods)
  const served = methods.flatMap(({ input, output }) => [input, output])
  const parts = countObjects([...tools, ...served, ...preferences.map(({ schema }) => schema)])
  return parts > mostParts ? `The schemas of a manifest have at most ${mostParts} objects together.` : undefined
}

function countObjects(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, member) => sum + countObjects(member), Array.isArray(value) ? 0 : 1)
}
