import { sandboxLimits, type LimitName } from './limits.ts'
import type { EffectiveLimits } from './grants.ts'

const names = Object.keys(sandboxLimits) as readonly LimitName[]

/** Every limit of a plugin: the later source that names one wins, none goes beyond the table's maximum. */
export function effectiveLimits(...sources: readonly Readonly<Partial<EffectiveLimits>>[]): EffectiveLimits {
  const entries = names.map((name): [LimitName, number] => {
    const { default: otherwise, max } = sandboxLimits[name]
    const asked = sources.findLast((source) => source[name] !== undefined)?.[name] ?? otherwise
    return [name, Math.min(asked, max)]
  })
  return Object.fromEntries(entries) as Record<LimitName, number>
}
