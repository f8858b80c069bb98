import { createHash } from 'node:crypto'
import { BackupError } from './backup-error.ts'

/** A piece of content in the target, by the SHA-256 of what it says. */
export interface Piece {
  readonly sha256: string
  readonly bytes: number
}

/** Rows of a table, one after the other in the text form of COPY. */
export interface TablePart extends Piece {
  readonly rows: number
}

/** A table with all its rows. */
export interface TableContent {
  readonly name: string
  /** Those that COPY names, quoted. */
  readonly columns: readonly string[]
  readonly rows: number
  /** Of all parts, one after the other. */
  readonly sha256: string
  readonly parts: readonly TablePart[]
}

/** A place where stored files lie. */
export interface BackedUpVolume {
  readonly ref: string
  readonly driver: string
  /** The driver's settings as the row has them, sealed; null for the platform's own folder. */
  readonly config: string | null
  /** Whether the bytes are part of the backup; otherwise they stay where they are. */
  readonly copied: boolean
}

/** What a backup is. Lists of files stand apart, in pieces, because there may be millions. */
export interface BackupManifest {
  readonly format: 1
  readonly id: string
  readonly made_at: string
  readonly platform: { readonly version: string }
  readonly database: { readonly server_version: string; readonly schema: string }
  readonly migrations: readonly string[]
  readonly schema: Piece
  readonly tables: readonly TableContent[]
  readonly volumes: readonly BackedUpVolume[]
  readonly files: {
    readonly lists: readonly Piece[]
    readonly count: number
    readonly bytes: number
    /** Files that lie in places which were not copied. */
    readonly elsewhere: number
    /** Files that were gone or damaged when the backup was made. */
    readonly missing: readonly string[]
  }
  /** DATA_DIR/secrets.json, in encrypted backups only. */
  readonly secrets: Piece | null
  /** What tells which keys open the sealed columns, and which secret the roles of plugins come from; neither says the key. */
  readonly keys: { readonly fernet: readonly string[]; readonly app: string }
}

/** The text of a manifest with its own hash beside it. */
export function encodeManifest(manifest: BackupManifest): Buffer {
  return Buffer.from(JSON.stringify({ manifest, sha256: hashOf(manifest) }))
}

/** Reads a manifest; a BackupError says that it is not what was written. */
export function decodeManifest(text: Buffer, id: string): BackupManifest {
  const { manifest, sha256 } = parse(text, id) as { manifest?: BackupManifest; sha256?: string }
  if (!manifest || hashOf(manifest) !== sha256 || manifest.id !== id) throw damaged(id)
  // A later format has its own reader in the code that wrote it.
  if ((manifest.format as number) === 1) return manifest
  throw new BackupError(`The backup ${id} has format ${manifest.format}, which this version does not read`)
}

function parse(text: Buffer, id: string): object {
  try {
    return JSON.parse(text.toString('utf8')) as object
  } catch {
    throw damaged(id)
  }
}

function hashOf(manifest: BackupManifest): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
}

function damaged(id: string): BackupError {
  return new BackupError(`The manifest of ${id} is damaged: it is not what was written`)
}
