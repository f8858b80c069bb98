import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { ExpiringMap, type Principal, type RequestState, type Tenant } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import { faultOf } from '../connection/step-fault.ts'
import type { StorageVolumes } from '../contract.ts'
import { StorageObject } from '../models.ts'
import type { StorageChoices } from '../volumes/storage-choice.ts'
import { readEffectiveStorage } from './effective-storage.ts'
import { readProfiles, type StorageProfile } from '../volumes/profiles.ts'

/** Who asks or chooses. */
export interface TenantCaller {
  readonly principal: Principal
  readonly tenant: Tenant
  readonly state: Pick<RequestState, 'locale' | 'traceId'>
  readonly signal: AbortSignal
}

/** What is known of the place that new files go to. */
interface StorageHealth {
  readonly ok: boolean
  readonly checked_at: string
  readonly error: string | null
}

const healthMs = 3_000
const healthKeptMs = 30_000
const mostTenants = 10_000

/** What a tenant's storage is at the moment. */
export class TenantStorage {
  readonly #db: Knex
  readonly #config: ConfigReader
  readonly #choices: StorageChoices
  readonly #volumes: StorageVolumes
  readonly #health = new ExpiringMap<string, Promise<StorageHealth>>(mostTenants)

  constructor(db: Knex, config: ConfigReader, choices: StorageChoices, volumes: StorageVolumes) {
    this.#db = db
    this.#config = config
    this.#choices = choices
    this.#volumes = volumes
  }

  /** Where new files go and whether they would get there, what may be chosen, and where files lie. */
  async status(tenantId: number) {
    const [{ mode, drivers }, profiles, files] = await Promise.all([
      this.#choices.policy(),
      this.profiles(),
      this.#files(tenantId),
    ])
    const { effective, health } = await this.#effective(tenantId)
    return {
      mode,
      effective,
      allowed: { drivers: [...drivers], profiles: profiles.map(({ id, name, driver }) => ({ id, name, driver })) },
      usage: {
        files: files.reduce((sum, row) => sum + row.files, 0),
        bytes: files.reduce((sum, row) => sum + row.bytes, 0),
        quota_bytes: await this.#quotaBytes(),
      },
      health,
      existing_files: files,
    }
  }

  /** The profiles that tenants may choose. */
  async profiles(): Promise<readonly StorageProfile[]> {
    const { drivers } = await this.#choices.policy()
    return (await readProfiles(this.#config)).filter(({ driver }) => drivers.includes(driver))
  }

  /** Of a tenant's attachments; null where there is no limit. */
  async #quotaBytes(): Promise<number | null> {
    const megabytes = await this.#config.get<number>('tenant_quota_mb')
    return megabytes === 0 ? null : megabytes * 1_048_576
  }

  async #effective(tenantId: number) {
    const { source, profileId, driver, baseUrl, fault } = await readEffectiveStorage(
      this.#choices,
      this.#config,
      tenantId,
    )
    const effective = { driver, profile_id: profileId, base_url: baseUrl, source }
    return { effective, health: fault ? failed(fault) : await this.#healthOf(tenantId) }
  }

  async #healthOf(tenantId: number): Promise<StorageHealth> {
    const { ref } = await this.#volumes.current(tenantId)
    const known = this.#health.get(ref)
    if (known) return known
    const asked = this.#ask(tenantId)
    this.#health.set(ref, asked, healthKeptMs)
    return asked
  }

  async #ask(tenantId: number): Promise<StorageHealth> {
    try {
      const { volume } = await this.#volumes.current(tenantId)
      await volume.head(`health/${randomUUID()}`, { signal: AbortSignal.timeout(healthMs) })
      return { ok: true, checked_at: new Date().toISOString(), error: null }
    } catch (error) {
      return failed(error)
    }
  }

  async #files(tenantId: number) {
    const rows = (await StorageObject.of(tenantId, this.#db)
      .select('storage_ref', 'driver')
      .groupBy('storage_ref', 'driver')
      .orderBy('storage_ref')
      .count('* as files')
      .sum('size as bytes')) as unknown as readonly (Pick<StorageObject, 'storageRef' | 'driver'> & {
      files: string
      bytes: string
    })[]
    return rows.map(({ storageRef, driver, files, bytes }) => {
      return { storage_ref: storageRef, driver, files: Number(files), bytes: Number(bytes) }
    })
  }
}

function failed(error: unknown): StorageHealth {
  return { ok: false, checked_at: new Date().toISOString(), error: faultOf(error, 'en').reason }
}
