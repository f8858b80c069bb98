import { registerIn, type Registered } from '../extensions/register-in.ts'
import type { ConfigPublicMembers, PublicMembers, RegisteredPublicMembers } from '../contract-public.ts'
import type { PrintedConfigs } from './printed-configs.ts'

type Read = (tenantId: number) => Promise<PublicMembers>

/** What others add to the public configurations. */
export class AddedMembers implements ConfigPublicMembers {
  readonly #readers = new Set<Registered<Read>>()
  readonly #printed: PrintedConfigs

  constructor(printed: PrintedConfigs) {
    this.#printed = printed
  }

  register(read: Read): RegisteredPublicMembers {
    const registered = registerIn(this.#readers, read)
    const changed = (tenantId: number): void => this.#printed.forget(tenantId)
    changed(0)
    return {
      changed,
      [Symbol.dispose]: () => {
        registered[Symbol.dispose]()
        changed(0)
      },
    }
  }

  /** A configuration with what is added to it. */
  async addTo(config: PublicMembers, tenantId: number): Promise<PublicMembers> {
    const added = await Promise.all([...this.#readers].map(({ entry }) => entry(tenantId)))
    return added.reduce(merge, config)
  }
}

function merge(config: PublicMembers, added: PublicMembers): PublicMembers {
  const members = Object.entries(added).map(([name, value]) => {
    const there = config[name]
    return [name, isObject(there) && isObject(value) ? { ...there, ...value } : value] as const
  })
  return { ...config, ...Object.fromEntries(members) }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
