import type { OpenedPackage, PackageSignature, TrustLevel } from '#marketplace'
import type { ReleaseRow } from '../shared/models.ts'

/** A package that was opened and checked, on its way to be installed or upgraded to. Who made the staging folder removes it. */
export interface IncomingRelease {
  readonly opened: OpenedPackage
  /** The zip, in the staging folder. */
  readonly zip: string
  /** How far it will be trusted here. */
  readonly trust: TrustLevel
  /** The index source it was taken from; null for an upload. */
  readonly source: string | null
  /** The publisher's own signature, which held. */
  readonly publisherSignature: PackageSignature | undefined
}

/** What is to be taken from an index. */
export interface WantedRelease {
  readonly name: string
  /** The newest one that fits this platform unless said otherwise. */
  readonly version?: string
  /** The source that has it; the plugin's own, or the first that knows the name, unless said otherwise. */
  readonly source?: string
}

/** Takes releases from the index sources; disposing what was fetched removes its staging folder. */
export interface ReleaseFetcher {
  /** Throws 404/4046 for what no source has, 400/4009 for a package that is refused, 502/5023 when no source answers. */
  fetch(wanted: WantedRelease): Promise<IncomingRelease & AsyncDisposable>
}

/** Decides about uploads. */
export interface Admission {
  /** How far an upload is trusted; throws 400/4009 for one that is not let in. */
  admit(opened: OpenedPackage): Promise<TrustLevel>
  /** Throws 400/4009 for a release that was revoked since it came in, unless its revocation only warns. */
  requireNotRevoked(release: Pick<ReleaseRow, 'name' | 'version' | 'kid' | 'source'>): Promise<void>
}
