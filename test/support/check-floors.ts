import { cruise, type IModule } from 'dependency-cruiser'
import { findUnlistedServices } from './unlisted-services.ts'

/** What the architecture is made of: the folders whose insides are looked at. */
const tops = ['kernel', 'sandbox', 'marketplace', 'core-plugins']

/** The files and folders that lie directly in a folder, by those of them that they import. */
type Plan = Map<string, Set<string>>

/**
 * Finds circles between what lies in one folder, at every depth: a folder counts with everything in it, a file by itself. The files
 * themselves never import each other in a circle; this is about the rooms that they are in.
 */
export function findCircles(imports: readonly (readonly [from: string, to: string])[]): readonly string[] {
  const plans = new Map<string, Plan>()
  for (const [from, to] of imports) {
    const { folder, left, right } = parting(from, to)
    if (left === right) continue
    const plan = plans.get(folder) ?? new Map<string, Set<string>>()
    plans.set(folder, plan.set(left, (plan.get(left) ?? new Set()).add(right)))
  }
  return [...plans].flatMap(([folder, plan]) =>
    circlesOf(plan).map((circle) => `${folder || '.'}: ${circle.join(' → ')}`),
  )
}

/** The deepest folder that both files lie in, and where in it each lies. */
function parting(from: string, to: string): { folder: string; left: string; right: string } {
  const [a, b] = [from.split('/'), to.split('/')]
  let depth = 0
  while (depth < a.length - 1 && depth < b.length - 1 && a[depth] === b[depth]) depth++
  return { folder: a.slice(0, depth).join('/'), left: a[depth] ?? '', right: b[depth] ?? '' }
}

/** One circle for each way back that a walk over the plan meets. */
function circlesOf(plan: Plan): readonly (readonly string[])[] {
  const circles: string[][] = []
  const done = new Set<string>()
  const walk = (room: string, path: readonly string[]): void => {
    const at = path.indexOf(room)
    if (at >= 0) return void circles.push([...path.slice(at), room])
    if (done.has(room)) return
    for (const next of plan.get(room) ?? []) walk(next, [...path, room])
    done.add(room)
  }
  for (const room of plan.keys()) walk(room, [])
  return circles
}

function importsOf({ source, dependencies }: IModule): readonly (readonly [string, string])[] {
  const ours = dependencies.filter(({ resolved }) => tops.some((top) => resolved.startsWith(`${top}/`)))
  return ours.map(({ resolved }) => [source, resolved] as const)
}

if (import.meta.main) {
  const { output } = await cruise(tops, {
    doNotFollow: { path: 'node_modules' },
    // What is built is made of files as a browser likes them.
    exclude: { path: '(^|/)dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  })
  if (typeof output === 'string') throw new Error('the imports could not be read')
  const circles = findCircles(output.modules.flatMap(importsOf))
  for (const circle of circles) console.error(`Folders import each other in a circle. ${circle}`)
  const unlisted = await findUnlistedServices()
  for (const service of unlisted) console.error(`The list of services is not whole. ${service}`)
  process.exitCode = circles.length + unlisted.length > 0 ? 1 : 0
}
