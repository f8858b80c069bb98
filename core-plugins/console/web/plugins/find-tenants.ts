import type { TenantBody } from '../../../tenants/wire.ts'
import { call } from '../api/client.ts'
import type { Page } from '../ui/list/use-list.ts'
import type { PickOption } from '../ui/dialog/pick-option.ts'

/** Where tenants are read. */
export const tenantsPlace = '/admin/tenants'

/** The first tenants that fit some words, to be picked. */
export async function findTenants(q: string, signal: AbortSignal): Promise<readonly PickOption[]> {
  const query = { q, page_size: 50 }
  const { items } = await call<Page<TenantBody>>('GET', tenantsPlace, { query, signal })
  return items.map(({ id, name: label, code }) => ({ value: String(id), label, hint: code }))
}
