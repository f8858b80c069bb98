import type { Access } from '../../access/contract.ts'
import type { MessageSender } from '../../mail/contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import type { tenantsDomainFailed } from '../contract.ts'
import type { TenantStore } from '../store.ts'

/** What telling stands on. */
export interface TellingParts {
  readonly access: Access
  readonly users: UserDirectory
  readonly mail: MessageSender
  readonly tenants: Pick<TenantStore, 'find'>
}

type Loss = NonNullable<(typeof tenantsDomainFailed)['payload']>

/** Writes to the owners of a tenant that it lost a domain, each in the own language. */
export async function tellOwners({ access, users, mail, tenants }: TellingParts, loss: Loss): Promise<void> {
  const { tenantId, domain, status } = loss
  const tenant = await tenants.find(tenantId)
  if (!tenant) return
  for (const id of await access.holdersOf(tenantId, 'tenant_owner')) {
    const owner = await users.find(tenantId, id)
    if (!owner?.email || owner.status !== 'active') continue
    const { email: to, nickname, locale } = owner
    const values = { domain, nickname, tenant: tenant.name }
    await mail.send({ tenantId, channel: 'email', to, template: `domain_${status}`, values, locale })
  }
}
