import type { Knex } from 'knex'
import { AppError, type Logger, type PermissionRegistry, type Principal } from '#kernel'
import type { Access } from '../../access/contract.ts'

/** The role of people who came by themselves, unless the tenant chose another. */
export const initialRole = 'tenant_user'

/** What giving the role to a newcomer stands on. */
export interface DefaultRoleParts {
  readonly access: Access
  readonly registry: PermissionRegistry
  readonly log: Logger
}

/** Gives a newcomer the role that a tenant has chosen, or tenant_user when that is gone or gives more than users hold. */
export async function giveDefaultRole(
  { access, registry, log }: DefaultRoleParts,
  { tenantId, userId, wanted }: { readonly tenantId: number; readonly userId: number; readonly wanted: string },
  trx: Knex.Transaction,
): Promise<string> {
  if (wanted !== initialRole) {
    try {
      await trx.transaction(async (attempt) => {
        await access.assignRoles(tenantId, userId, [wanted], attempt)
        await access.requireAuthorityOver(plainUser(tenantId, registry), tenantId, userId, attempt)
      })
      return wanted
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      log.warn({ tenantId, role: wanted, err: error }, 'the default role cannot be given: newcomers are tenant_user')
    }
  }
  await access.assignRoles(tenantId, userId, [initialRole], trx)
  return initialRole
}

/** Somebody with every permission that is meant for users and no other, who can be above nobody that holds one more. */
function plainUser(tenantId: number, registry: PermissionRegistry): Principal {
  const all = Map.groupBy(registry.list(), ({ name }) => name)
  const can = (permission: string) => all.get(permission)?.every(({ scope }) => scope === 'USER') ?? false
  return { scope: 'tenant', tenantId, userId: 0, sessionId: '', roles: [], permissions: [], can }
}
