import { effectiveLimits } from '../../effective-limits.ts'
import type { Grants } from '../../grants.ts'
import type { Release } from '../../services.ts'
import type { TestOptions } from './contract.ts'

/** The administrator said yes to everything, and took back what the test refuses. */
export function grantEverything({ manifest }: Release, { refuse = [] }: TestOptions): Grants {
  const { capabilities, optionalCapabilities = [], http, events, db, storage, mail, uses, limits = {} } = manifest
  const asked = [...capabilities, ...optionalCapabilities]
  const denied = new Set(asked.filter((capability) => refuse.includes(capability)))
  return {
    capabilities: new Set(asked),
    hosts: http?.hosts ?? [],
    publish: events?.publish ?? [],
    subscribe: events?.subscribe ?? [],
    tables: db?.tables ?? [],
    uses: uses ?? {},
    limits: effectiveLimits({
      ...limits,
      ...(storage?.quotaMb === undefined ? {} : { storageQuotaMb: storage.quotaMb }),
      ...(storage?.maxObjectMb === undefined ? {} : { storageObjectMb: storage.maxObjectMb }),
      ...(mail?.perDay === undefined ? {} : { mailsPerDay: mail.perDay }),
    }),
    deniedFor: () => denied,
  }
}
