import type { SecretBox } from '#kernel'
import type { StorageVolume } from '../storage/contract.ts'
import type { BackedUpVolume } from './manifest.ts'

/** Opens a place by its driver and settings, as the platform's own. */
export type OpenVolume = (driver: string, config: Readonly<Record<string, unknown>>) => StorageVolume

/** The platform's own folder, which needs no row. */
export const home: BackedUpVolume = { ref: 'local', driver: 'local', config: null, copied: true }

/** Opens the places that a backup names, each once. */
export class Volumes {
  readonly #open: OpenVolume
  readonly #secrets: Pick<SecretBox, 'open'>
  readonly #known: ReadonlyMap<string, BackedUpVolume>
  readonly #opened = new Map<string, StorageVolume>()

  constructor(open: OpenVolume, secrets: Pick<SecretBox, 'open'>, volumes: readonly BackedUpVolume[]) {
    this.#open = open
    this.#secrets = secrets
    this.#known = new Map(volumes.map((volume) => [volume.ref, volume]))
  }

  /** Whether the bytes of a place are part of the backup. */
  isCopied(ref: string): boolean {
    return this.#known.get(ref)?.copied ?? false
  }

  get(ref: string): StorageVolume {
    const opened = this.#opened.get(ref) ?? this.#make(ref)
    this.#opened.set(ref, opened)
    return opened
  }

  #make(ref: string): StorageVolume {
    const { driver, config } = this.#known.get(ref) ?? home
    return this.#open(
      driver,
      config === null ? {} : (JSON.parse(this.#secrets.open(config)) as Record<string, unknown>),
    )
  }
}
