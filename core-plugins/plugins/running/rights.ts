import { diffManifests, type Capability, type Grants, type PluginManifest } from '#sandbox'

/** A manifest with what was granted of it. */
interface Rights {
  readonly manifest: PluginManifest
  readonly grants: Grants
}

/** Whether rights that are held go beyond those that are wanted; what is `withheld` holds nobody any more, whatever was loaded. */
export function goesBeyond(held: Rights, wanted: Rights, withheld: ReadonlySet<Capability>): boolean {
  return diffManifests(grantedPart(held, withheld), grantedPart(wanted, withheld)).removed.length > 0
}

/** The manifest as if it asked for exactly what was granted. */
function grantedPart({ manifest, grants }: Rights, withheld: ReadonlySet<Capability>): PluginManifest {
  const { hosts, publish, subscribe, tables, limits } = grants
  const capabilities = [...grants.capabilities].filter((capability) => !withheld.has(capability))
  const has = (capability: Capability): boolean => capabilities.includes(capability)
  // Of what was recorded at a consent, from a checked manifest.
  const given = {
    ...{ capabilities, optionalCapabilities: [], limits },
    http: { hosts: has('http') ? hosts : [] },
    events: has('events') ? { publish, subscribe } : {},
    db: has('db:own_tables') ? { tables } : {},
    storage: { quotaMb: limits.storageQuotaMb, maxObjectMb: limits.storageObjectMb },
    slots: has('ui') ? manifest.slots : [],
  } as Partial<PluginManifest>
  return { ...manifest, ...given }
}
