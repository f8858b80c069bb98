import { ExpiringMap } from '#kernel'
import type { OpenVolume, StorageVolumes } from '../contract.ts'
import type { DriverTable } from '../drivers/driver-table.ts'
import { StorageUnavailableError } from '../errors.ts'
import { linkOrigins } from './link-origins.ts'
import type { StorageChoice, StorageChoices } from './storage-choice.ts'
import type { VolumeRows, WantedVolume } from './volume-rows.ts'

/** The name of the folder that every installation has, and that is there without settings. */
const home = 'local'
const lifetime = 60_000
const most = 5_000

/** What the pool stands on. */
interface VolumePoolParts {
  readonly drivers: DriverTable
  readonly choices: StorageChoices
  readonly rows: VolumeRows
  /** Tells every host that what is known of a place changed. */
  announce(ref: string): Promise<void>
}

/** The opened places, kept until what is known of them changes. */
export class VolumePool implements StorageVolumes {
  readonly #parts: VolumePoolParts
  readonly #current = new ExpiringMap<number, Promise<OpenVolume>>(most)
  readonly #opened = new ExpiringMap<string, Promise<OpenVolume>>(most)

  constructor(parts: VolumePoolParts) {
    this.#parts = parts
  }

  current(tenantId: number): Promise<OpenVolume> {
    return keep(this.#current, tenantId, () => this.#openCurrent(tenantId))
  }

  byRef(ref: string): Promise<OpenVolume> {
    return keep(this.#opened, ref, () => this.#open(ref))
  }

  async linkOrigins(tenantId: number): Promise<readonly string[]> {
    return linkOrigins(await this.current(tenantId))
  }

  /** The place of settings, made known without being chosen. */
  async placeOf(choice: StorageChoice, tenantId: number): Promise<string> {
    const wanted = this.#wanted(choice, tenantId)
    if (this.#isHome(wanted)) return home
    const { ref, isChanged } = await this.#parts.rows.store(wanted)
    if (isChanged) await this.#parts.announce(ref)
    return ref
  }

  /** Brings what is known of the place of settings up to date, on every host. */
  async refresh(choice: StorageChoice, tenantId: number): Promise<void> {
    const ref = await this.#parts.rows.refresh(this.#wanted(choice, tenantId))
    if (ref !== undefined) await this.#parts.announce(ref)
  }

  /** Asks again where a tenant's bytes go; of everybody's where the platform's settings changed. */
  forgetTenant(tenantId: number): void {
    if (tenantId === 0) this.#current.clear()
    else this.#current.delete(tenantId)
  }

  /** Opens a place again at its next use; with `*` each. */
  forgetVolume(ref: string): void {
    // The current ones are opened places too.
    this.#current.clear()
    if (ref === '*') this.#opened.clear()
    else this.#opened.delete(ref)
  }

  async #openCurrent(tenantId: number): Promise<OpenVolume> {
    const choice = await this.#parts.choices.of(tenantId)
    const ref = await this.placeOf(choice, tenantId)
    const { driver, config, owner, baseUrl } = choice
    return { ref, driver, baseUrl, volume: this.#parts.drivers.get(driver).open(config, owner) }
  }

  async #open(ref: string): Promise<OpenVolume> {
    const { drivers, rows } = this.#parts
    if (ref === home) return { ref, driver: home, baseUrl: '', volume: drivers.get(home).open({}, 'platform') }
    const known = await rows.find(ref)
    if (!known) throw new StorageUnavailableError({ driver: ref }, { details: { storage_ref: ref } })
    const { tenantId, driver, config, baseUrl } = known
    const volume = drivers.get(driver).open(config, tenantId > 0 ? 'tenant' : 'platform')
    return { ref, driver, baseUrl, volume }
  }

  /** Profiles and the platform's settings are the platform's, whoever uses them. */
  #wanted({ driver, config, baseUrl, owner }: StorageChoice, tenantId: number): WantedVolume {
    const place = this.#parts.drivers.get(driver).placeOf(config)
    return { tenantId: owner === 'tenant' ? tenantId : 0, driver, place, config, baseUrl }
  }

  #isHome({ driver, place }: WantedVolume): boolean {
    return driver === home && place === this.#parts.drivers.get(home).placeOf({})
  }
}

/** One reader works for all who ask at once; a failure is not kept. */
function keep<K>(
  map: ExpiringMap<K, Promise<OpenVolume>>,
  key: K,
  make: () => Promise<OpenVolume>,
): Promise<OpenVolume> {
  const known = map.get(key)
  if (known) return known
  const made = make()
  map.set(key, made, lifetime)
  made.catch(() => map.deleteWhere((other) => other === made))
  return made
}
