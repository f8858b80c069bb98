import type { Knex } from 'knex'
import { NotFoundError, TenantInactiveError, type Principal, type Tenant, type TenantResolver } from '#kernel'
import type { Access, Audit } from '../../access/contract.ts'
import type { UserDirectory, UserRecord } from '../../users/contract.ts'
import type { Actor, IssuedTokens, SessionOrigin, Sessions } from '../contract.ts'
import { AccountInactiveError } from '../errors.ts'

/** What acting in a tenant stands on. */
interface ImpersonationParts {
  readonly db: Knex
  readonly tenants: TenantResolver
  readonly users: UserDirectory
  readonly access: Access
  readonly audit: Audit
  readonly sessions: Sessions
}

/** Who begins to act, from where and why. */
interface ActingPerson {
  readonly principal: Principal
  readonly reason: string | undefined
  readonly origin: SessionOrigin
  readonly traceId: string
}

/** A session in a tenant user's place. */
export interface Impersonation {
  readonly tokens: IssuedTokens
  readonly user: UserRecord
  readonly tenant: Tenant
  readonly actor: Actor
}

const seconds = 30 * 60

/** Lets administrators of the platform act in a tenant for a while, with the rights of one of its users and no others. */
export class ImpersonationService {
  readonly #parts: ImpersonationParts

  constructor(parts: ImpersonationParts) {
    this.#parts = parts
  }

  /**
   * Begins to act as a user, as an owner unless said otherwise. Throws 404/4040 for a tenant or user who is not there,
   * 403/4035 and 403/4034 for one who is not active.
   */
  async begin(tenantId: number, userId: number | undefined, person: ActingPerson): Promise<Impersonation> {
    const tenant = await this.#parts.tenants.byId(tenantId)
    if (!tenant) throw new NotFoundError()
    if (tenant.status !== 'active') throw new TenantInactiveError({ details: { status: tenant.status } })
    const user = userId === undefined ? await this.#findOwner(tenantId) : await this.#parts.users.find(tenantId, userId)
    if (!user) throw new NotFoundError()
    if (user.status !== 'active') throw new AccountInactiveError({ details: { status: user.status } })
    const actor: Actor = { userId: person.principal.userId, tenantId: 0 }
    await this.#record(user, person)
    const origin = { ...person.origin, deviceName: 'Platform administrator' }
    const methods = person.principal.methods ?? []
    return { tokens: await this.#parts.sessions.issue(user, origin, { methods, actor, seconds }), user, tenant, actor }
  }

  async #findOwner(tenantId: number): Promise<UserRecord | undefined> {
    const { access, users } = this.#parts
    const ids = await access.holdersOf(tenantId, 'tenant_owner')
    const owners = await Promise.all(ids.map((id) => users.find(tenantId, id)))
    return owners.find((owner) => owner?.status === 'active') ?? owners[0]
  }

  /** Both logs tell: the platform's, and the tenant's own. */
  async #record({ tenantId, id }: UserRecord, { principal, origin, reason, traceId }: ActingPerson): Promise<void> {
    const { db, audit } = this.#parts
    const entry = { actor: principal, action: 'tenant.impersonated', traceId }
    const after = { tenant_id: tenantId, user_id: id, ip: origin.ip, seconds, ...(reason !== undefined && { reason }) }
    await db.transaction(async (trx) => {
      await audit.record({ ...entry, tenantId: 0, target: `tenant:${tenantId}`, after }, trx)
      await audit.record({ ...entry, tenantId, target: `user:${id}`, after }, trx)
    })
  }
}
