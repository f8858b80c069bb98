import {
  ScopeMismatchError,
  TenantInactiveError,
  UnauthenticatedError,
  type Authenticator,
  type Principal,
  type TenantResolver,
} from '#kernel'
import type { WsTickets } from '../auth/contract.ts'
import type { Caller } from './connections/connection.ts'
import type { Namespace } from './connections/keys.ts'

/** What tells who may listen. */
interface AdmissionParts {
  readonly authenticator: Authenticator
  readonly tenants: TenantResolver
  readonly tickets: WsTickets
}

/** A credential as a client brings it. */
export interface Brought {
  readonly token?: string | undefined
  readonly ticket?: string | undefined
}

/** Tells who listens, and whether they may in a namespace. */
export class Admission {
  readonly #parts: AdmissionParts

  constructor(parts: AdmissionParts) {
    this.#parts = parts
  }

  /** Whoever brings a token or a ticket. Throws 401 and 403 as routes do. */
  async enter(namespace: Namespace, { token, ticket }: Brought, ip: string): Promise<Caller> {
    const known = token ?? (ticket === undefined ? undefined : await this.#parts.tickets.use(ticket))
    if (known === undefined) throw new UnauthenticatedError()
    const text = typeof known === 'string' ? known : known.token
    return { token: text, ip, principal: await this.admit(namespace, text, ip) }
  }

  /** The holder of a token, when they may listen. */
  async admit(namespace: Namespace, token: string, ip: string): Promise<Principal> {
    const { authenticator, tenants } = this.#parts
    const principal = await authenticator.authenticate({ token, ip })
    if (!principal) throw new UnauthenticatedError()
    const wanted = { admin: 'platform', tenant: 'tenant', user: principal.scope }[namespace]
    if (principal.scope !== wanted) throw new ScopeMismatchError({ scope: wanted })
    if (principal.scope === 'tenant') {
      const tenant = await tenants.byId(principal.tenantId)
      if (tenant?.status !== 'active')
        throw new TenantInactiveError({ details: { status: tenant?.status ?? 'deleted' } })
    }
    return principal
  }
}
