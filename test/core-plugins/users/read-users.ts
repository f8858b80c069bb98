import type { Api } from '../../support/api.ts'

/** The codes of the roles that a user of the caller's tenant holds, in their order. */
export async function rolesOf(by: Api, id: number): Promise<readonly string[]> {
  const { roles } = (await by.get(`/tenant/users/${id}`)).body['data'] as unknown as { roles: { code: string }[] }
  return roles.map(({ code }) => code).toSorted()
}

/** How many changes of a user are in the log. */
export async function changesOf(by: Api, id: number): Promise<number> {
  const log = await by.get(`/tenant/audit-logs?target=user:${id}&action=tenant_user.updated&limit=100`)
  return (log.body['data'] as unknown as { items: readonly object[] }).items.length
}

/** The ids of the users whom a query finds in the caller's tenant. */
export async function idsOf(by: Api, query: string): Promise<readonly number[]> {
  const { items } = (await by.get(`/tenant/users${query}`)).body['data'] as unknown as { items: { id: number }[] }
  return items.map(({ id }) => id)
}
