import type { TenantResolver } from '#kernel'
import { outcomeError, type GuestTenant, type Sandbox } from '#sandbox'

type GuestCall = Parameters<Sandbox['call']>[0]

/** What a plugin answered: JSON, and the milliseconds of CPU that it took. */
interface PluginSaid {
  readonly value: unknown
  readonly cpuMs: number
}

/** Asks plugins for what they bring, in the name of a tenant. */
export class PluginAsker {
  readonly #sandbox: Pick<Sandbox, 'call'>
  readonly #tenants: Pick<TenantResolver, 'byId'>

  constructor(sandbox: Pick<Sandbox, 'call'>, tenants: Pick<TenantResolver, 'byId'>) {
    this.#sandbox = sandbox
    this.#tenants = tenants
  }

  /** Tenant 0 is the platform. Throws the platform's error for whatever went wrong; `spent` is told what it cost all the same. */
  async ask(
    { tenantId, ...call }: Omit<GuestCall, 'tenant'> & { readonly tenantId: number },
    spent?: (cpuMs: number) => void,
  ): Promise<PluginSaid> {
    const outcome = await this.#sandbox.call({ ...call, tenant: await this.#tenantOf(tenantId) })
    const { cpuMs } = outcome
    spent?.(cpuMs)
    if (!outcome.ok) throw outcomeError(call.release.name, outcome)
    return { value: JSON.parse(outcome.value), cpuMs }
  }

  async #tenantOf(tenantId: number): Promise<GuestTenant | undefined> {
    const tenant = tenantId === 0 ? undefined : await this.#tenants.byId(tenantId)
    return tenant && { id: tenant.id, code: tenant.code }
  }
}
