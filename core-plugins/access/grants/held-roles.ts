import type { Knex } from 'knex'
import { RoleRefusedError } from '../errors.ts'

// A token carries every role's code (ruling 25), so their number is bounded here.
const roleLimit = 20

/** A piece of SQL with what its question marks stand for. */
interface Fragment {
  readonly sql: string
  readonly bindings: (number | number[])[]
}

/**
 * Pairs of user_id and role_id: roles given to the users themselves, roles of the active nodes they belong to, and roles
 * that active nodes above those pass on.
 */
export function heldRoles(tenantId: number, userIds: readonly number[]): Fragment {
  const users = [...userIds]
  return {
    sql: `
      select user_id, role_id from access_user_roles where tenant_id = ? and user_id = any(?::int[])
      union
      select member.user_id, bound.role_id
        from access_user_orgs member
        join access_orgs own on own.tenant_id = member.tenant_id and own.id = member.org_id and own.status = 'active'
       cross join lateral unnest(string_to_array(trim(both '/' from own.path), '/')::int[]) as above(id)
        join access_orgs node on node.tenant_id = own.tenant_id and node.id = above.id and node.status = 'active'
        join access_org_roles bound on bound.tenant_id = node.tenant_id and bound.org_id = node.id
         and (bound.inherit or node.id = own.id)
       where member.tenant_id = ? and member.user_id = any(?::int[])`,
    bindings: [tenantId, users, tenantId, users],
  }
}

/** Throws 400/4002 when one of these users would hold more roles than a token carries. */
export async function requireFewRoles(
  tenantId: number,
  userIds: readonly number[],
  trx: Knex.Transaction,
): Promise<void> {
  const { sql, bindings } = heldRoles(tenantId, userIds)
  const counted = `select user_id from (${sql}) as held group by user_id having count(*) > ? limit 1`
  const { rows } = (await trx.raw(counted, [...bindings, roleLimit]).queryContext({ tenant: tenantId })) as {
    rows: unknown[]
  }
  if (rows.length > 0) throw new RoleRefusedError({ limit: roleLimit })
}
