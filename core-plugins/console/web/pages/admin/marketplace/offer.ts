import type { Offer } from '../../../plugins/wire.ts'

/** A version of a plugin as a source offers it. */
export interface OfferedVersion {
  readonly version: string
  readonly published: string
  readonly size: number
  readonly compatible: boolean
  readonly offered: boolean
  readonly yanked: unknown
  readonly key_revoked: boolean
  readonly revoked: Offer['revoked']
  /** The key that it was signed with. */
  readonly kid: string | null
  readonly host_tested: readonly string[]
  readonly capabilities: readonly string[]
  readonly optional_capabilities: readonly string[]
  /** Those that it asks to speak to. */
  readonly hosts: readonly string[] | null
  /** Plugins that it needs, or does not bear, each with a range. */
  readonly requires: Readonly<Record<string, string>>
  readonly conflicts: Readonly<Record<string, string>>
  readonly changelog: string | null
  readonly provenance: {
    readonly issuer: string
    readonly subject: string
    readonly repository?: string
    readonly ref?: string
    readonly commit?: string
  } | null
}

/** A plugin of a source with its versions. */
export interface OfferDetail extends Offer {
  readonly latest_compatible: string | null
  readonly license: string | null
  readonly versions: readonly OfferedVersion[]
}
