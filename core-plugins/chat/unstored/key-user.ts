import { compilePermissionCheck, type Principal } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { AgentModelCaller } from '../../ai/contract.ts'

/** What a key that belongs to nobody may do: use agents that are for everybody, and nothing that asks for a right. */
const nobodys = ['user_agent:chat', 'user_agent:list']

/** For whom a key's agents answer: its user, with the rights of this moment, or nobody of its tenant. */
export async function userOf(
  { tenantId, userId, id }: AgentModelCaller['key'],
  access: Pick<Access, 'grantsOf'>,
): Promise<Principal> {
  if (userId === undefined) return principal(tenantId, 0, id, [], nobodys)
  const { roles, permissions } = await access.grantsOf(tenantId, userId)
  return principal(
    tenantId,
    userId,
    id,
    roles.map(({ code }) => code),
    permissions,
  )
}

/** Somebody of a tenant who is no user of it and holds nothing. */
export function nobodyOf(tenantId: number): Principal {
  return principal(tenantId, 0, '', [], [])
}

function principal(
  tenantId: number,
  userId: number,
  sessionId: string,
  roles: readonly string[],
  permissions: readonly string[],
): Principal {
  return { scope: 'tenant', tenantId, userId, sessionId, roles, permissions, can: compilePermissionCheck(permissions) }
}
