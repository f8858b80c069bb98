import type { Bundle } from '../pack/bundle.ts'
import { packageOf } from '../pack/package-of.ts'
import type { Finding } from './finding.ts'

/** Finds where a plugin's own files import each other in a circle: what one of them needs while it loads is not there yet. */
export function lintImports({ imports }: Pick<Bundle, 'imports'>): readonly Finding[] {
  const own = new Map(
    [...imports].filter(([path]) => isOwn(path)).map(([path, targets]) => [path, targets.filter(isOwn)] as const),
  )
  const findings: Finding[] = []
  const seen = new Set<string>()
  for (const path of [...own.keys()].sort()) visit(path, [])
  return findings

  function visit(path: string, chain: readonly string[]): void {
    const at = chain.indexOf(path)
    if (at !== -1) return void findings.push(tell(chain.slice(at)))
    if (seen.has(path)) return
    // Its own circles are found once, from whichever file comes to it first.
    for (const target of own.get(path) ?? []) visit(target, [...chain, path])
    seen.add(path)
  }
}

/** Neither a package nor the SDK. */
function isOwn(path: string): boolean {
  return packageOf(path) === undefined && !path.includes(':')
}

function tell(circle: readonly string[]): Finding {
  const [first = ''] = circle
  const chain = [...circle, first].join(' → ')
  return {
    ...{ level: 'warning', rule: 'circular_import', file: first, line: 1 },
    message: `It imports itself: ${chain}. What is used while they load may not be there yet: move what they share into a file of its own.`,
  }
}
