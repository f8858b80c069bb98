import { defineService, type AppError, type FieldError, type Principal } from '#kernel'
import type { OpenedPackage, PackageSignature, TrustLevel, TrustStore } from '#marketplace'
import type { PluginManifest } from '#sandbox'

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
  /** Whose prereleases are wanted beside what is released, such as `beta`; those of what is installed unless said otherwise. */
  readonly channel?: string
  /** The source that has it; the plugin's own, or the first that knows the name, unless said otherwise. */
  readonly source?: string
}

/** A release that a source offers and that this platform may take; nothing of it is here yet. */
export interface OfferedRelease {
  readonly name: string
  readonly version: string
  readonly treeHash: string
  readonly source: string
  /** Of its zip, in bytes. */
  readonly size: number
  /** Brings its zip here; throws 502/5023 where that fails. Disposing the result removes it. */
  download(options?: {
    readonly onProgress?: (done: number, total: number) => void
    /** Ends it, also while what has come is verified. */
    readonly signal?: AbortSignal
  }): Promise<DownloadedRelease>
}

/** The zip of an offered release, with exactly the bytes that the source names. */
export interface DownloadedRelease extends AsyncDisposable {
  /** Opens and checks what is in it; throws 400/4009 for what is refused. */
  verify(terms?: TakingTerms): Promise<IncomingRelease>
}

/** What a package is taken in for. */
export interface TakingTerms {
  /** Only to say what it would do: its publisher is not believed because of it. */
  readonly isTrial?: boolean
}

/** A release, kept here or on its way in. */
export interface ReleaseFacts {
  readonly name: string
  readonly version: string
  /** The publisher's key; null where nobody signed it. */
  readonly kid: string | null
  /** The index source it was taken from; null for an upload. */
  readonly source: string | null
}

/** An installed plugin with the release that is active. */
export interface JudgedPlugin {
  readonly id: number
  readonly name: string
  readonly version: string
  readonly treeHash: string
}

/** What an index offers for an installed plugin. */
export interface FoundUpdate {
  /** The newest version that fits this platform. */
  readonly version: string
  /** Whether it closes a hole of the version that runs. */
  readonly security: boolean
}

/** A licence token that a source revoked, by its `jti`. Whether the source is heard depends on the plugin it was made for. */
export interface RevokedLicence {
  readonly jti: string
  readonly source: string
}

/** What is known of licences beside the platform: the keys that sign them, and the ones that were taken back. */
export interface LicenceAuthority {
  /** A publisher's key that is believed: Ed25519, base64url of 32 bytes. Undefined for one that nobody knows or that was revoked. */
  findKey(publisher: string, kid: string): Promise<{ readonly publicKey: string } | undefined>
  /** Which sources are heard that revoke a licence of this installed plugin, signed with the key `kid`. */
  judgesOf(plugin: string, kid: string): Promise<(source: string) => boolean>
  /** What enabled, signed sources say, as they were last read. */
  revoked(): Promise<readonly RevokedLicence[]>
}

/** Knows what publishers offer and revoke, and which keys are theirs. */
export interface PackageIndex {
  /** Finds the release that is wanted, and takes nothing of it. Throws 404/4046, 404/4040, 400/4009, 409/4094 and 502/5023. */
  find(wanted: WantedRelease): Promise<OfferedRelease>
  /**
   * Takes a release from a source; disposing it removes its staging folder. Throws 404/4046 for what no source has, 400/4009 for a
   * package that is refused, 502/5023 when no source answers.
   */
  fetch(wanted: WantedRelease, terms?: TakingTerms): Promise<IncomingRelease & AsyncDisposable>
  /** What an upload of a publisher may be signed with; its `findKey` throws 400/4009 for a key that is not known or was revoked. */
  trustOf(publisher: string): TrustStore
  /** A signed upload of the publisher was let in. */
  believe(publisher: string): Promise<void>
  /** Throws 400/4009 for a release that was revoked, unless its revocation only warns. */
  requireNotRevoked(release: ReleaseFacts): Promise<void>
  /** Throws 409/4094 for a plugin whose release must not run, unless an administrator said that it may. */
  requireRunnable(plugin: JudgedPlugin): Promise<void>
  /** Lets the release of a plugin run although it was revoked. */
  override(plugin: Pick<JudgedPlugin, 'id' | 'name'>, actor: Principal): Promise<void>
  /** What is said against the releases of plugins, as it is shown, by plugin id. */
  findRevocations(pluginIds: readonly number[]): Promise<ReadonlyMap<number, object>>
  /** Which installed plugins could be newer, from what was last read: it asks nobody. */
  findUpdates(names: readonly string[]): Promise<ReadonlyMap<string, FoundUpdate>>
  readonly licences: LicenceAuthority
}

/** Where who knows of packages beside those that are uploaded says so. */
export interface PackageIndexes {
  /** Is asked until the result is disposed; while nobody is, packages are uploaded alone and nothing is revoked. */
  register(index: PackageIndex): Disposable
  /** Tells that what it knows changed; resolves when who was to act on it has. */
  announce(): Promise<void>
}

/** What a source demands of the packages that it offers. */
export interface SourcePolicy {
  readonly minTrust: TrustLevel
  readonly allow: readonly string[]
  readonly deny: readonly string[]
}

/** What packages meet on their way in. */
export interface PackageIntake {
  /** Knows the key with which this site countersigns, and no other. */
  readonly siteTrust: TrustStore
  /** A new, empty folder to receive a package in; removed when the result is disposed. */
  stage(): Promise<AsyncDisposable & { readonly folder: string }>
  /** Throws 400/4009 for a name that the site or the source does not let in. */
  requireName(name: string, source: Pick<SourcePolicy, 'allow' | 'deny'>): Promise<void>
  /** Throws 400/4009 for a package that the site, the source or the plugin's author does not want installed. */
  requireOffer(
    manifest: Pick<PluginManifest, 'name' | 'minTrust'>,
    trust: TrustLevel,
    source: SourcePolicy,
  ): Promise<void>
  /** 400/4009: why a package does not fit this platform, or what is installed. */
  unfit(why: { readonly errors: readonly FieldError[]; readonly details?: Readonly<Record<string, unknown>> }): AppError
}

/** Where who knows of packages beside those that are uploaded says so. */
export const packageIndexes = defineService<PackageIndexes>('plugins.package_indexes')
/** What packages meet on their way in. */
export const packageIntake = defineService<PackageIntake>('plugins.package_intake')
