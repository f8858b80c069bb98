import { transform } from 'esbuild'
import { LineMap } from '#sandbox'
import { absentGlobals } from './absent-globals.ts'

const prefix = 'stoa_absent_'
const ofSandbox: Wanted = { names: absentGlobals, objects: [] }

/** Globals to look for: by name, and below which objects they are as well. */
interface Wanted {
  readonly names: readonly string[]
  readonly objects: readonly string[]
}

/**
 * The lines of a source, from 1, on which it uses each global that is not there; not where the name stands for something of its own, nor where
 * it asks first. What no plugin has, unless others are wanted.
 */
export async function unguardedGlobals(
  file: string,
  text: string,
  { names, objects }: Wanted = ofSandbox,
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const lines = new Map<number, Set<string>>()
  const marks = Object.fromEntries(names.map((name) => [name, markOf(name)]))
  const members = Object.fromEntries(names.map((name) => [name, markOf(`of_${name}`)]))
  const below = names.flatMap((name) => objects.map((object) => [`${object}.${name}`, members[name] ?? ''] as const))
  const define = { ...marks, ...Object.fromEntries(below) }
  const { code, map } = await transform(text, {
    ...{ loader: 'tsx', sourcefile: file, sourcemap: 'external', define, tsconfigRaw: {}, logLevel: 'silent' },
    ...(file.endsWith('.ts') && { loader: 'ts' }),
  })
  if (!code.includes(prefix)) return lines
  const places = LineMap.parse(map)
  // Only here: the compiler is large.
  const { findUses } = await import('./find-uses.ts')
  for (const { name, line, column } of findUses(code, marks, objects.length > 0 ? members : {})) {
    const at = places?.find(line, column)?.line
    if (at === undefined) continue
    lines.set(at, (lines.get(at) ?? new Set()).add(name))
  }
  return lines
}

function markOf(name: string): string {
  return prefix + name.replace('.', '_')
}
