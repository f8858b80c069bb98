import { ctxMembers } from './ctx-members.ts'
import { capabilities, rowOf, type Capability } from './table.ts'

/** How a source that uses a capability looks. */
interface SourceSigns {
  /** Where no source shows it, the capability is asked for in vain. */
  readonly used: RegExp | undefined
  /** What shows it needs the capability. */
  readonly called: RegExp | undefined
}

/** How sources that use the capabilities look, for those that show at all. */
export const sourceSigns: ReadonlyMap<Capability, SourceSigns> = new Map(
  capabilities.map((capability): [Capability, SourceSigns] => {
    const { used, called } = rowOf(capability)
    return [
      capability,
      {
        used: used === true ? nameOf(capability) : used,
        called: called === true ? callOf(capability) : called,
      },
    ]
  }),
)

function nameOf(capability: Capability): RegExp {
  return new RegExp(`\\b${memberOf(capability)[0]}\\b`)
}

function callOf(capability: Capability): RegExp {
  const [name, functions] = memberOf(capability)
  return new RegExp(`\\b${name}!?\\??\\.(?:${functions.join('|')})\\s*\\(`)
}

/** The member of `ctx` that a capability brings, and the names of its functions. */
function memberOf(capability: Capability): readonly [name: string, functions: readonly string[]] {
  for (const [name, { by, open }] of Object.entries(ctxMembers))
    if (by[0] === capability) return [name, Object.keys(open(() => Promise.reject(new Error('nobody is asked'))))]
  throw new Error(`${capability} brings no member of ctx`)
}
