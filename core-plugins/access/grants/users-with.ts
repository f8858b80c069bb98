import { compilePermissionCheck } from '#kernel'
import type { Access } from '../contract.ts'

/** Users who hold a permission by an active role, sorted. */
export async function usersWith(
  { listRoles, holdersOf }: Pick<Access, 'listRoles' | 'holdersOf'>,
  tenantId: number,
  permission: string,
): Promise<readonly number[]> {
  const roles = await listRoles(tenantId)
  const covering = roles.filter(({ permissions }) => compilePermissionCheck(permissions)(permission))
  const holders = await Promise.all(covering.map(({ code }) => holdersOf(tenantId, code)))
  return [...new Set(holders.flat())].sort((a, b) => a - b)
}
