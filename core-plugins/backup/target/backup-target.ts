import { createHash, createHmac, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { StorageVolume } from '../../storage/contract.ts'
import { BackupError } from '../backup-error.ts'
import { texts } from '../texts/texts.ts'
import { decodeManifest, encodeManifest, type BackupManifest, type Piece } from '../manifest.ts'
import { createKey, openKey, type KeyRecipe } from '../sealing/passphrase-key.ts'
import { openStream, sealedSize, sealStream } from '../sealing/seal-stream.ts'
import { verified } from './verified.ts'

const compress = promisify(gzip)
const decompress = promisify(gunzip)
const description = 'repository/target.json'
const catalogue = 'repository/catalogue.json'
const idPattern = /^\d{8}t\d{6}z-[0-9a-f]{8}$/

/** What a target says of itself. */
interface TargetDescription {
  readonly encryption: KeyRecipe | null
  /** Whose backups it keeps; an operator who changed the secret of the platform takes it out. */
  readonly platform?: string
}

/** A backup in the list of a target. */
export interface ListedBackup {
  readonly id: string
  readonly made_at: string
}

/** What is known of the sizes of a target's pieces: `part` is compressed, `file` is as it was. */
type PieceKind = 'part' | 'file'

/**
 * A place that keeps backups. Content lies there once, under a name made from its hash, whichever backups have it: with a
 * passphrase everything is sealed and names say nothing of the content.
 */
export class BackupTarget {
  readonly #volume: StorageVolume
  readonly #key: Buffer | undefined

  private constructor(volume: StorageVolume, key: Buffer | undefined) {
    this.#volume = volume
    this.#key = key
  }

  /** Opens a target to read it. Throws when the passphrase is wrong, missing or too much. */
  static async open(volume: StorageVolume, passphrase: string | undefined): Promise<BackupTarget> {
    const known = await readDescription(volume)
    if (!known) throw new BackupError(texts.keep('notice.backup_none_here'))
    return new BackupTarget(volume, await keyOf(known, passphrase))
  }

  /** Opens a target to write to it, also one that is empty. Throws as `open` does, and where another platform writes. */
  static async openFor(platform: string, volume: StorageVolume, passphrase: string | undefined): Promise<BackupTarget> {
    const known = await readDescription(volume)
    // Two would let each other's backups go.
    if (known?.platform !== undefined && known.platform !== platform) throw ofAnotherPlatform()
    const made = known || passphrase === undefined ? undefined : await createKey(passphrase)
    const key = known ? await keyOf(known, passphrase) : made?.key
    if (known?.platform === undefined) {
      const encryption = known?.encryption ?? made?.recipe ?? null
      await write(volume, description, JSON.stringify({ format: 1, platform, encryption }))
    }
    return new BackupTarget(volume, key)
  }

  get isEncrypted(): boolean {
    return this.#key !== undefined
  }

  /** Keeps a small piece; one that is there already is not sent again. Answers whether it was sent. */
  async putPart(content: Buffer): Promise<Piece & { readonly isSent: boolean }> {
    const sha256 = createHash('sha256').update(content).digest('hex')
    const name = this.nameOf('part', sha256)
    const piece = { sha256, bytes: content.length }
    if (await this.#volume.head(name)) return { ...piece, isSent: false }
    await this.#put(name, [await compress(content, { level: 3 })])
    return { ...piece, isSent: true }
  }

  /** A small piece, whole and as it was written, or a BackupError. */
  async getPart({ sha256, bytes }: Piece): Promise<Buffer> {
    const name = this.nameOf('part', sha256)
    const stored = await buffer(await this.#get(name))
    const content = await decompress(stored, { maxOutputLength: Math.max(bytes, 1) }).catch(() => undefined)
    const isSame = content?.length === bytes && createHash('sha256').update(content).digest('hex') === sha256
    if (!isSame) throw new BackupError(texts.keep('notice.backup_file_damaged', { name }))
    return content
  }

  /** Whether a file is there whole. */
  async hasFile({ sha256, bytes }: Piece): Promise<boolean> {
    const found = await this.#volume.head(this.nameOf('file', sha256))
    return found?.size === (this.#key ? sealedSize(bytes) : bytes)
  }

  /** Keeps a file; what turns out to be another content is not kept. */
  async putFile(piece: Piece, content: AsyncIterable<Buffer>): Promise<void> {
    const name = this.nameOf('file', piece.sha256)
    await this.#put(name, verified(content, piece, name), this.#key ? sealedSize(piece.bytes) : piece.bytes)
  }

  /** A file's content; throws at its end when it is not what was written. */
  async getFile(piece: Piece): Promise<AsyncGenerator<Buffer>> {
    const name = this.nameOf('file', piece.sha256)
    return verified(await this.#get(name), piece, name)
  }

  /** Keeps the manifest, and from then on the backup is there. */
  async putManifest(manifest: BackupManifest): Promise<void> {
    await this.#put(manifestName(manifest.id), [encodeManifest(manifest)])
    const listed = (await this.list()).filter(({ id }) => id !== manifest.id)
    await this.#writeList([...listed, { id: manifest.id, made_at: manifest.made_at }])
  }

  /** The manifest of a backup, or of the latest. */
  async getManifest(wanted?: string): Promise<BackupManifest> {
    const id = wanted ?? (await this.list()).at(-1)?.id
    if (id === undefined) throw new BackupError(texts.keep('notice.backup_none_here'))
    if (!idPattern.test(id)) throw new BackupError(`${id} is no name of a backup`)
    return decodeManifest(await buffer(await this.#get(manifestName(id))), id)
  }

  /** The backups that are there, the oldest first. */
  async list(): Promise<readonly ListedBackup[]> {
    const text = await readWhole(this.#volume, catalogue)
    return text ? readJson<{ backups: readonly ListedBackup[] }>(text).backups : []
  }

  /** Takes a backup off the list, then its manifest; its pieces are the caller's to delete before. */
  async forget(id: string): Promise<void> {
    await this.#writeList((await this.list()).filter((backup) => backup.id !== id))
    await this.#volume.delete(manifestName(id))
  }

  async deletePiece(name: string): Promise<void> {
    await this.#volume.delete(name)
  }

  /** Where a piece lies. */
  nameOf(kind: PieceKind, sha256: string): string {
    const name = this.#key ? createHmac('sha256', this.#key).update(`${kind} ${sha256}`).digest('hex') : sha256
    return `${kind}s/${name.slice(0, 2)}/${name}`
  }

  async #writeList(backups: readonly ListedBackup[]): Promise<void> {
    await write(this.#volume, catalogue, JSON.stringify({ backups }))
  }

  async #put(name: string, content: AsyncIterable<Buffer> | Iterable<Buffer>, size?: number): Promise<void> {
    const bytes = this.#key ? sealStream(this.#key, name, content) : content
    await this.#volume.put(name, Readable.from(bytes, { objectMode: false }), { size })
  }

  async #get(name: string): Promise<AsyncIterable<Buffer>> {
    const found = await this.#volume.get(name)
    if (!found) throw new BackupError(texts.keep('notice.backup_file_missing', { name }))
    const content = found.content as AsyncIterable<Buffer>
    return this.#key ? openStream(this.#key, name, content) : content
  }
}

/** A name for a backup that is made now. */
export function newBackupId(now: Date): string {
  const time = now.toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '').toLowerCase()
  return `${time}-${randomBytes(4).toString('hex')}`
}

async function readDescription(volume: StorageVolume): Promise<TargetDescription | undefined> {
  const text = await readWhole(volume, description)
  return text && readJson<TargetDescription>(text)
}

function ofAnotherPlatform(): BackupError {
  return new BackupError(texts.keep('notice.backup_other_platform', { file: description }))
}

async function keyOf({ encryption }: TargetDescription, passphrase: string | undefined): Promise<Buffer | undefined> {
  if (!encryption && passphrase === undefined) return undefined
  if (!encryption) throw new BackupError(texts.keep('notice.backup_not_encrypted'))
  if (passphrase === undefined) throw new BackupError(texts.keep('notice.backup_passphrase_needed'))
  return openKey(passphrase, encryption)
}

function manifestName(id: string): string {
  return `manifests/${id}.json`
}

async function readWhole(volume: StorageVolume, name: string): Promise<Buffer | undefined> {
  const found = await volume.get(name)
  return found && buffer(found.content)
}

function readJson<T>(text: Buffer): T {
  try {
    return JSON.parse(text.toString('utf8')) as T
  } catch {
    throw new BackupError(texts.keep('notice.backup_target_damaged'))
  }
}

async function write(volume: StorageVolume, name: string, text: string): Promise<void> {
  await volume.put(name, Readable.from([Buffer.from(text)]), { size: Buffer.byteLength(text) })
}
