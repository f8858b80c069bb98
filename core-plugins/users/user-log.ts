import type { Knex } from 'knex'
import type { Access, Audit, Writer } from '../access/contract.ts'
import type { UserRecord } from './contract.ts'
import { presentUser } from './present.ts'

/** What is written in the log of administrative writes. */
interface LoggedWrite {
  /** `created`, `approved` … */
  readonly what: string
  readonly tenantId: number
  /** `user:7`, `invitation:3`. */
  readonly target: string
  readonly before?: unknown
  readonly after?: unknown
}

/** Keeps an administrative write on users. */
export async function recordWrite(
  audit: Audit,
  { what, tenantId, ...entry }: LoggedWrite,
  { principal, state }: Writer,
  trx: Knex.Transaction,
): Promise<void> {
  const action = `${tenantId === 0 ? 'platform_user' : 'tenant_user'}.${what}`
  await audit.record({ ...entry, tenantId, action, actor: principal, traceId: state.traceId }, trx)
}

/** A user as the log shows it, with the codes of the roles and the nodes held at this moment of a transaction. */
export async function describeUser(access: Access, user: UserRecord, trx: Knex.Transaction): Promise<object> {
  const { tenantId, id } = user
  const roles = await access.rolesOf(tenantId, [id], trx)
  const orgs = await access.orgsOf(tenantId, [id], trx)
  const codes = roles.get(id)?.map(({ code }) => code) ?? []
  return { ...presentUser(user, [], orgs.get(id)), roles: codes }
}
