import type { Logger, TenantResolver } from '#kernel'
import type { StorageVolumes } from '../../storage/contract.ts'

/** What finding origins stands on. */
interface StorageOriginsParts {
  readonly volumes: Pick<StorageVolumes, 'linkOrigins'>
  readonly tenants: Pick<TenantResolver, 'byHost'>
  readonly log: Pick<Logger, 'warn'>
}

/** Tells where a browser is led to for files: the places outside of the platform where they lie. */
export class StorageOrigins {
  readonly #parts: StorageOriginsParts
  /** Whose place is away, which is told once: anybody may ask for the page. */
  readonly #away = new Set<number>()

  constructor(parts: StorageOriginsParts) {
    this.#parts = parts
  }

  /** The origins for a host: of the platform's place, and of that of the host's tenant; none while files lie here. */
  async of(host: string): Promise<readonly string[]> {
    const tenant = await this.#parts.tenants.byHost(host)
    const owners = tenant ? [0, tenant.id] : [0]
    const origins = await Promise.all(owners.map((id) => this.#originsOf(id)))
    return [...new Set(origins.flat())].sort()
  }

  /** A place that is not there now is no reason to show nobody a page. */
  async #originsOf(tenantId: number): Promise<readonly string[]> {
    try {
      const origins = await this.#parts.volumes.linkOrigins(tenantId)
      this.#away.delete(tenantId)
      return origins
    } catch (error) {
      if (!this.#away.has(tenantId))
        this.#parts.log.warn({ err: error, tenantId }, 'the policy of the console names no place of files')
      this.#away.add(tenantId)
      return []
    }
  }
}
