import type { PluginManifest, PluginMigration } from '#sandbox'
import type { PackageSignature } from './signature.ts'
import type { PackageFile } from './tree.ts'

/** A package that has been unpacked and keeps every rule; whether to trust it is `verifyPackage`'s question. */
export interface OpenedPackage {
  readonly manifest: PluginManifest
  /** manifest.json as the author wrote it. */
  readonly manifestText: string
  readonly treeHash: string
  /** Sorted by path. */
  readonly files: readonly PackageFile[]
  /** The SHA-256 of the zip, in hex. */
  readonly sha256: string
  /** The size of the zip in bytes. */
  readonly size: number
  /** Where it was unpacked. */
  readonly directory: string
  readonly migrations: readonly PluginMigration[]
  readonly signature: PackageSignature | undefined
}
