import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import { DecryptError, type SecretBox } from '#kernel'
import type { DriverConfig } from '../contract.ts'
import { StorageVolumeRow } from '../models.ts'

/** A place as it is known in the database. */
interface KnownVolume {
  readonly ref: string
  readonly tenantId: number
  readonly driver: string
  readonly config: DriverConfig
  readonly baseUrl: string
}

/** A place as the settings have it. */
export type WantedVolume = Omit<KnownVolume, 'ref'> & { readonly place: string }

/** Places where bytes lie, with the settings that reach them, sealed. */
export class VolumeRows {
  readonly #db: Knex
  readonly #secrets: SecretBox

  constructor(db: Knex, secrets: SecretBox) {
    this.#db = db
    this.#secrets = secrets
  }

  /** A place by its name; throws 5005 when no key of the ring opens its settings. */
  async find(ref: string): Promise<KnownVolume | undefined> {
    if (!/^[0-9a-f-]{36}$/.test(ref)) return undefined
    const row = await StorageVolumeRow.acrossTenants(this.#db).findById(ref)
    return row && this.#present(row)
  }

  /** The place of these settings, made known or brought up to date; `isChanged` when others may know it otherwise. */
  async store({
    tenantId,
    driver,
    place,
    config,
    baseUrl,
  }: WantedVolume): Promise<{ ref: string; isChanged: boolean }> {
    const found = await this.#at(tenantId, driver, place)
    if (found && this.#isSame(found, config, baseUrl)) return { ref: found.id, isChanged: false }
    const row = { driver, place, config: this.#secrets.seal(JSON.stringify(config)), baseUrl, updatedAt: new Date() }
    const { id } = await StorageVolumeRow.of(tenantId, this.#db)
      .insert({ id: randomUUID(), ...row })
      .onConflict(['tenant_id', 'driver', 'place'])
      .merge(['config', 'base_url', 'updated_at'])
      .returning('*')
    return { ref: id, isChanged: found !== undefined }
  }

  /** Brings what is known of a place up to date, if it is known at all; answers its name when something changed. */
  async refresh(wanted: WantedVolume): Promise<string | undefined> {
    if (!(await this.#at(wanted.tenantId, wanted.driver, wanted.place))) return undefined
    const { ref, isChanged } = await this.store(wanted)
    return isChanged ? ref : undefined
  }

  /** Seals under the first key of the ring what another one sealed; answers how many places that was. */
  async reseal(newest: SecretBox): Promise<number> {
    let resealed = 0
    for (const { id, tenantId, config } of await StorageVolumeRow.acrossTenants(this.#db)) {
      if (opens(newest, config) || !opens(this.#secrets, config)) continue
      const changed = { config: this.#secrets.rotate(config) }
      // Unless somebody stored other settings meanwhile.
      resealed += await StorageVolumeRow.of(tenantId, this.#db).where({ id, config }).patch(changed)
    }
    return resealed
  }

  async #at(tenantId: number, driver: string, place: string): Promise<StorageVolumeRow | undefined> {
    return await StorageVolumeRow.of(tenantId, this.#db).where({ driver, place }).first()
  }

  #isSame(row: StorageVolumeRow, config: DriverConfig, baseUrl: string): boolean {
    // Those that were sealed under a key that is lost give way to the settings of today.
    if (row.baseUrl !== baseUrl || !opens(this.#secrets, row.config)) return false
    return isDeepStrictEqual(this.#present(row).config, config)
  }

  #present({ id, tenantId, driver, config, baseUrl }: StorageVolumeRow): KnownVolume {
    return { ref: id, tenantId, driver, config: JSON.parse(this.#secrets.open(config)) as DriverConfig, baseUrl }
  }
}

function opens(box: SecretBox, token: string): boolean {
  try {
    box.open(token)
    return true
  } catch (error) {
    if (error instanceof DecryptError) return false
    throw error
  }
}
