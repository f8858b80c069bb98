import { transform } from 'esbuild'
import { LineMap } from '#sandbox'
import { absentGlobals } from './absent-globals.ts'

const prefix = 'stoa_absent_'
const marks = Object.fromEntries(absentGlobals.map((name) => [name, `${prefix}${name}`]))

/** The lines of a source, from 1, on which it uses each global that no plugin has; not where the name stands for something of its own, nor where it asks first. */
export async function unguardedGlobals(file: string, text: string): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const lines = new Map<number, Set<string>>()
  const { code, map } = await transform(text, {
    ...{ loader: 'tsx', sourcefile: file, sourcemap: 'external', define: marks, tsconfigRaw: {}, logLevel: 'silent' },
    ...(file.endsWith('.ts') && { loader: 'ts' }),
  })
  if (!code.includes(prefix)) return lines
  const places = LineMap.parse(map)
  // Only here: the compiler is large.
  const { findUses } = await import('./find-uses.ts')
  for (const { name, line, column } of findUses(code, marks)) {
    const at = places?.find(line, column)?.line
    if (at === undefined) continue
    lines.set(at, (lines.get(at) ?? new Set()).add(name))
  }
  return lines
}
