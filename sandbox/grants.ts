import type { Capability } from './capabilities/table.ts'
import type { LimitName } from './limits.ts'

/** The tenant a call is for, as the guest sees it. */
export interface GuestTenant {
  readonly id: number
  readonly code: string
}

/** A host the administrator lets the plugin reach. */
export interface HostGrant {
  /** Exact name, `*.label.tld`, or `*` with the capability `http:any`. */
  readonly host: string
  /** 443 where none is listed. */
  readonly ports?: readonly number[]
  /** GET where none is listed. */
  readonly methods?: readonly string[]
}

/** Every limit of one plugin as it stands, in the units of the limits table. */
export type EffectiveLimits = Readonly<Record<LimitName, number>>

/** What the administrator recorded; the manifest only asks. */
export interface Grants {
  readonly capabilities: ReadonlySet<Capability>
  readonly hosts: readonly HostGrant[]
  /** Event names it may publish, all in its own namespace. */
  readonly publish: readonly string[]
  /** Event names it hears; `name.*` covers everything below. */
  readonly subscribe: readonly string[]
  /** Its tables by short name. */
  readonly tables: readonly string[]
  /** Services of other plugins, `acme.crm/contacts`, with the versions it may call. */
  readonly uses: Readonly<Record<string, string>>
  readonly limits: EffectiveLimits
  /** The optional capabilities that a tenant refused; asked on every call. */
  deniedFor(tenantId: number): ReadonlySet<Capability>
}
