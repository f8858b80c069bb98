import {
  AppError,
  ScopeMismatchError,
  TenantInactiveError,
  UnauthenticatedError,
  type Authenticator,
  type Principal,
  type RequestState,
  type RouteContext,
  type Tenant,
  type TenantResolver,
} from '#kernel'
import type { AiKey, AiKeys } from '../../ai-ledger/contract.ts'
import type { AiGateway } from '../../ai/contract.ts'
import type { AgentAsker } from '../../chat/contract.ts'
import { McpKeyScopeError } from '../errors.ts'

/** Who speaks to us. */
export interface McpCaller {
  /** Whose sessions are whose. */
  readonly id: string
  /** With the rights of this moment. */
  readonly user: Principal
  readonly tenant: Tenant
  readonly key: AiKey | undefined
}

/** What tells who somebody is. */
interface CallerParts {
  readonly authenticator: Authenticator
  readonly keys: AiKeys
  readonly asker: Pick<AgentAsker, 'userOfKey'>
  readonly tenants: Pick<TenantResolver, 'byId'>
  readonly gateway: Pick<AiGateway, 'demandOpen'>
}

type Request = Pick<RouteContext, 'header' | 'state'>

/** A credential is looked at before the body is taken and after it; in between so many milliseconds change nothing. */
const checkedForMs = 500

/** Tells who calls, by an API key or a user's token in the headers. */
export class Callers {
  readonly #parts: CallerParts
  readonly #checked = new WeakMap<RequestState, { readonly caller: McpCaller; readonly at: number }>()

  constructor(parts: CallerParts) {
    this.#parts = parts
  }

  /** Throws 401, 403/4030, 403/4031 for a key that is not for this, 403/4033 for the platform’s own, and 403/4036 where AI is switched off. */
  async of(ctx: Request, metadataUrl: string): Promise<McpCaller> {
    const before = this.#checked.get(ctx.state)
    if (before && performance.now() - before.at < checkedForMs) return before.caller
    try {
      const caller = await this.#read(ctx)
      await this.#parts.gateway.demandOpen(caller.tenant.id)
      this.#checked.set(ctx.state, { caller, at: performance.now() })
      return caller
    } catch (error) {
      throw error instanceof AppError && error.status === 401 ? toldWhere(error, metadataUrl) : error
    }
  }

  /** The same credential, asked again for what it may do now. */
  async again(ctx: Request): Promise<McpCaller> {
    const caller = await this.#read(ctx)
    await this.#parts.gateway.demandOpen(caller.tenant.id)
    return caller
  }

  async #read(ctx: Request): Promise<McpCaller> {
    const text = /^bearer +(\S+)\s*$/i.exec(ctx.header('authorization') ?? '')?.[1]
    const token = text ?? ctx.header('x-api-key')
    if (token === undefined || token === '') throw new UnauthenticatedError()
    return token.startsWith('sk-') ? this.#byKey(token, ctx.state.ip) : this.#byToken(token, ctx.state.ip)
  }

  async #byKey(token: string, ip: string): Promise<McpCaller> {
    const { keys, asker } = this.#parts
    const key = await keys.authenticate(token, ip)
    if (key.scopes.length > 0 && !key.scopes.includes('mcp')) throw new McpKeyScopeError()
    const tenant = await this.#tenantOf(key)
    return { id: `key ${key.id}`, user: await asker.userOfKey(key), tenant, key }
  }

  async #byToken(token: string, ip: string): Promise<McpCaller> {
    const user = await this.#parts.authenticator.authenticate({ token, ip })
    if (!user) throw new UnauthenticatedError()
    const id = `user ${String(user.tenantId)} ${String(user.userId)}`
    return { id, user, tenant: await this.#tenantOf(user), key: undefined }
  }

  async #tenantOf({ tenantId }: Pick<Principal, 'tenantId'>): Promise<Tenant> {
    if (tenantId === 0) throw new ScopeMismatchError({ scope: 'tenant' })
    const tenant = await this.#parts.tenants.byId(tenantId)
    if (tenant?.status !== 'active') throw new TenantInactiveError({ details: { status: tenant?.status ?? 'deleted' } })
    return tenant
  }
}

/** RFC 9728: a refusal names where it stands who gives tokens. */
function toldWhere(error: AppError, metadataUrl: string): AppError {
  const headers = { ...error.headers, 'www-authenticate': `Bearer resource_metadata="${metadataUrl}"` }
  const { code, reason, template, values, details } = error
  return new AppError(code, reason, template, values, { headers, cause: error, ...(details && { details }) })
}
