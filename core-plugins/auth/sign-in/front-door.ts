import { TenantInactiveError, TenantNotRecognisedError, type Tenant, type TenantResolver } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import { compileAddressList } from '../address-list.ts'
import { IpNotAllowedError, LoginMethodOffError } from '../errors.ts'
import { requireNoMaintenance } from '../maintenance.ts'

/** Ways a tenant may let its users sign in. */
type LoginMethod = 'password' | 'email_code' | 'sms_code'

/** Which tenant somebody wants into, and how. */
interface TenantEntry {
  /** The tenant's code, as the caller names it. */
  readonly code?: string | undefined
  /** The tenant of the host that was called, for callers who name none. */
  readonly host: Tenant | undefined
  /** Undefined for what is not a sign-in, such as a forgotten password. */
  readonly method?: LoginMethod
}

/** Decides whether there is a way in at all, before anybody's credentials are looked at. */
export class FrontDoor {
  readonly #tenants: TenantResolver
  readonly #config: ConfigReader

  constructor(tenants: TenantResolver, config: ConfigReader) {
    this.#tenants = tenants
    this.#config = config
  }

  /** The tenant that is meant; throws 404/4041, 403/4035, 503/5031 and, for a way that is switched off, 403/4036. */
  async toTenant({ code, host, method }: TenantEntry): Promise<Tenant> {
    const tenant = code ? await this.#tenants.byCode(code) : host
    if (!tenant) throw new TenantNotRecognisedError()
    await this.requireOpen(tenant)
    if (method === undefined) return tenant
    const methods = await this.#config.get<readonly string[]>('login_methods', tenant.id, ['password'])
    if (!methods.includes(method)) throw new LoginMethodOffError({ details: { methods } })
    return tenant
  }

  /** Throws 403/4035 for a tenant that is not active and 503/5031 during maintenance. */
  async requireOpen(tenant: Tenant): Promise<void> {
    if (tenant.status !== 'active') throw new TenantInactiveError({ details: { status: tenant.status } })
    await requireNoMaintenance(this.#config, tenant.id)
  }

  /** For whoever has been in before: the tenant, or null of the platform, if there is still a way in. */
  async reenter(tenantId: number, ip: string): Promise<Tenant | null> {
    if (tenantId === 0) {
      await this.toPlatform(ip)
      return null
    }
    const tenant = await this.#tenants.byId(tenantId)
    if (!tenant) throw new TenantInactiveError({ details: { status: 'deleted' } })
    await this.requireOpen(tenant)
    return tenant
  }

  /** Throws 403/4030 for an address that the platform's staff may not sign in from. */
  async toPlatform(ip: string): Promise<void> {
    const allowed = await this.#config.get<readonly string[]>('admin_ip_allowlist', 0, [])
    if (allowed.length > 0 && !compileAddressList(allowed)(ip)) throw new IpNotAllowedError()
  }
}
