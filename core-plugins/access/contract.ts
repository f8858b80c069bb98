import type { Knex } from 'knex'
import type { Model, QueryBuilder } from 'objection'
import {
  defineEvent,
  defineService,
  type DataScopePlan,
  type Permission,
  type Principal,
  type RequestState,
} from '#kernel'
import type { TargetSource } from './contract-targets.ts'

export { namesIn, numbersOf, type TargetSource } from './contract-targets.ts'

/** A role as it is shown beside its holder. */
export interface RoleName {
  readonly code: string
  readonly name: string
}

/** What a user holds: active roles, own ones and those of the organisation, and every permission they give, wildcards included, sorted. */
export interface Grants {
  readonly roles: readonly RoleName[]
  readonly permissions: readonly string[]
  /** How far the widest of the roles sees. */
  readonly dataScope: DataScope
}

/** How far a role's holder sees. */
export type DataScope = 'ALL' | 'ORG_AND_CHILDREN' | 'ORG_ONLY' | 'CUSTOM' | 'SELF'

/** A user, by tenant; tenant 0 is the platform. */
export interface Account {
  readonly tenantId: number
  readonly userId: number
}

/** Gives roles permissions that no role stores, such as those of plugins assigned to a tenant. */
export interface PermissionSource {
  /** Queries go through `db`, which may be a transaction that waits for the answer. */
  permissions(tenantId: number, roleCodes: readonly string[], db: Knex): Promise<readonly string[]>
  /** What roles of a tenant, or with tenant 0 roles of the platform, may be given by an edit. */
  declared(tenantId: number, db: Knex): Promise<readonly Permission[]>
}

/** A user as lists of others show one. */
export interface NamedUser {
  /** As the user wishes, or else the account or the address. */
  readonly nickname: string
  readonly avatarUrl: string
}

/** Which users are counted: of these ids, where some are named, and within reach of every plan. */
export interface CountedUsers {
  readonly ids?: readonly number[]
  readonly plans: readonly DataScopePlan[]
}

/** What is known of users beside their ids. */
export interface UserSource {
  /** What users of a tenant are called, by id; those who are gone are absent. */
  namesOf(tenantId: number, userIds: readonly number[]): Promise<ReadonlyMap<number, NamedUser>>
  /** The same for users of whatever tenants, with the tenant of each. */
  namesAnywhere(userIds: readonly number[]): Promise<ReadonlyMap<number, NamedUser & { readonly tenantId: number }>>
  count(tenantId: number, users: CountedUsers): Promise<number>
}

/** Who holds what. Tenant 0 is the platform. A change made in a caller's transaction is seen after `invalidate`. */
export interface Access {
  /** Cached; in every answer after `invalidate`, on every host. */
  grantsOf(tenantId: number, userId: number): Promise<Grants>
  /**
   * Roles given to many users themselves, which is what `assignRoles` changes; users without any are absent. Queries go
   * through `db`, which may be a transaction that waits for the answer.
   */
  rolesOf(tenantId: number, userIds: readonly number[], db?: Knex): Promise<ReadonlyMap<number, readonly RoleName[]>>
  /** Every active role of a tenant, by code, with the permissions it gives, wildcards included. */
  listRoles(tenantId: number): Promise<readonly (RoleName & { readonly permissions: readonly string[] })[]>
  /** Gives a new tenant its system roles. */
  seedTenantRoles(tenantId: number, trx: Knex.Transaction): Promise<void>
  /** Makes these the user's roles. Unknown ones throw 422; with an actor, so do ones above the actor (403/4031). */
  assignRoles(
    tenantId: number,
    userId: number,
    codes: readonly string[],
    trx: Knex.Transaction,
    actor?: Principal,
  ): Promise<void>
  /** Takes every role from a user who is about to be deleted. */
  forgetUser(tenantId: number, userId: number, trx: Knex.Transaction): Promise<void>
  /** Throws 403/4031 when the user holds a role that the actor could not give. */
  requireAuthorityOver(actor: Principal, tenantId: number, userId: number, trx: Knex.Transaction): Promise<void>
  /** Throws 403/4031 unless the actor could give every role that somebody of the tenant holds. */
  requireAuthorityOverAll(actor: Principal, tenantId: number, trx: Knex.Transaction): Promise<void>
  /** Whether an account holds a role that another could not give; where that other is nobody, every account does. */
  isAbove(account: Account, other: Account | undefined): Promise<boolean>
  /** Throws what `assignRoles` and `assignOrgs` would throw this actor for somebody new, and gives nothing. */
  requireMayGive(
    actor: Principal,
    given: { readonly roles: readonly string[]; readonly orgIds: readonly number[] },
    trx: Knex.Transaction,
  ): Promise<void>
  /** Users who hold a role, by gift or through the organisation, sorted. */
  holdersOf(tenantId: number, roleCode: string): Promise<readonly number[]>
  /** Who of some tenants was first given a role in person, by tenant; those where nobody was are absent. */
  firstHolders(tenantIds: readonly number[], roleCode: string): Promise<ReadonlyMap<number, number>>
  /** What users of whatever tenants are called, by id, with the tenant of each; those who are gone are absent. */
  namesOf(userIds: readonly number[]): Promise<ReadonlyMap<number, NamedUser & { readonly tenantId: number }>>
  /** Users who hold a permission by an active role, sorted. */
  usersWith(tenantId: number, permission: string): Promise<readonly number[]>
  /** As `holdersOf`, and nobody can give or take the role until the transaction ends. */
  lockHolders(tenantId: number, roleCode: string, trx: Knex.Transaction): Promise<readonly number[]>
  /**
   * Which rows the principal may reach with this permission: the union over the roles that grant it, and over no other.
   * Applied with the kernel's `applyDataScope`. Cached until the epoch of the tenant ends; within a transaction, which
   * must not wait for a second connection, it is read anew through `trx`.
   */
  dataScope(principal: Principal, permission: string, trx?: Knex.Transaction): Promise<DataScopePlan>
  /** Organisation nodes of many users at once, the primary one first; users without any are absent. `db` as for `rolesOf`. */
  orgsOf(tenantId: number, userIds: readonly number[], db?: Knex): Promise<ReadonlyMap<number, readonly number[]>>
  /** The active nodes that a user belongs to, with all active ones above them: what is given to one of them is given to the user. */
  orgLineOf(tenantId: number, userId: number): Promise<readonly number[]>
  /** Those of some nodes that the tenant has. `db` as for `rolesOf`. */
  knownOrgs(tenantId: number, orgIds: readonly number[], db?: Knex): Promise<readonly number[]>
  /** The node that what a user makes belongs to, stamped on rows at insert; null without one. */
  primaryOrgOf(tenantId: number, userId: number): Promise<number | null>
  /** Makes these the user's nodes, the first the primary one. Unknown ones throw 422; with an actor, ones out of the actor's scope 403/4031. */
  assignOrgs(
    tenantId: number,
    userId: number,
    orgIds: readonly number[],
    trx: Knex.Transaction,
    actor?: Principal,
  ): Promise<void>
  /** Narrows a query over users to those a plan reaches: members of its nodes and the caller; `userId` is the column of their id. */
  restrictToMembers<Q extends QueryBuilder<Model, unknown>>(query: Q, plan: DataScopePlan, userId: string): Q
  /** Forgets what is cached, on every host; awaited after the transaction that changed something. */
  invalidate(tenantId: number | 'all'): Promise<void>
  /** Adds permissions to roles until the result is disposed. */
  addPermissionSource(source: PermissionSource): Disposable
  /** Shows names beside ids of users and counts users, of whom this plugin knows no more than ids, until the result is disposed. */
  describeUsers(source: UserSource): Disposable
  /** Strips every permission with this prefix from every role, for an uninstall; answers how many roles changed. */
  removePermissions(prefix: string, trx: Knex.Transaction): Promise<number>
  /** How many roles hold a permission with this prefix. */
  countPermissions(prefix: string, db: Knex): Promise<number>
  /** Forgets how entries of the navigation with this prefix were arranged, for an uninstall; answers how many were. */
  removeMenus(prefix: string, trx: Knex.Transaction): Promise<number>
  /** How many entries of the navigation with this prefix are arranged otherwise than declared. */
  countMenus(prefix: string, db: Knex): Promise<number>
}

/** Who writes, for the checks and the log. */
export interface Writer {
  readonly principal: Principal
  readonly state: RequestState
}

/** One administrative write. */
export interface AuditEntry {
  /** Whose log it stands in; 0 is the platform's. */
  readonly tenantId: number
  readonly actor: Principal | null
  /** `<resource>.<past participle>`, such as `tenant.created`. */
  readonly action: string
  /** What was written, such as `tenant:7`. */
  readonly target: string
  readonly before?: unknown
  readonly after?: unknown
  readonly traceId?: string
}

/** Keeps who did what; values of secrets are masked before they are stored. */
export interface Audit {
  record(entry: AuditEntry, trx?: Knex.Transaction): Promise<void>
  /** Deletes what is older, in every log, a part at a time; answers how many lines went. */
  deleteBefore(moment: Date): Promise<number>
  /** Shows names beside targets of one kind, such as `ai_agent:agt_1`, until the result is disposed. */
  nameTargets(kind: string, source: TargetSource): Disposable
}

/** Who holds what. */
export const access = defineService<Access>('access.grants')
/** The log of administrative writes. */
export const audit = defineService<Audit>('access.audit')

/** Roles or their holders changed in one tenant, the platform (0) or everywhere. */
export const accessChanged = defineEvent<{ readonly tenantId: number | 'all' }>('access.changed')
/** The kind of noted changes that every change of what users hold or reach is, by tenant, or `all`; for those who keep it. */
export const grantsChanged = 'access.grants'
