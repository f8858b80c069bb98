import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import type { QueryBuilderType } from 'objection'
import {
  NotFoundError,
  presentPage,
  readIds,
  whatIsGiven,
  wherePeriod,
  type Page,
  type Period,
  type Principal,
  type Scope,
} from '#kernel'
import type { Access, Audit, Writer } from '../access/contract.ts'
import type { Avatars } from './avatars.ts'
import { usersChanged, type PresentedUser, type UserDirectory, type UserStatus } from './contract.ts'
import type { UserErasure } from './erasure.ts'
import { OwnAccountError, RegistrationPendingError } from './errors.ts'
import { normaliseAccount, normaliseEmail, normalisePhone } from './identifier.ts'
import type { InvitationStore } from './invitations/store.ts'
import { keepLastHolder } from './last-holder.ts'
import type { User } from './models.ts'
import { presentUser } from './present.ts'
import { requireProfile } from './profile-rules.ts'
import type { UserReach } from './reach.ts'
import type { UserPatch, UserStore } from './store.ts'
import { describeUser, recordWrite } from './user-log.ts'

/** What the management of users stands on. */
interface UserParts {
  readonly scope: Scope
  readonly store: UserStore
  readonly access: Access
  readonly audit: Audit
  readonly directory: UserDirectory
  readonly reach: UserReach
  readonly invitations: InvitationStore
  readonly erasure: UserErasure
  readonly avatars: Avatars
}

/** A user as an administrator creates it. */
interface UserToCreate {
  readonly account?: string | undefined
  readonly email: string
  readonly phone?: string | undefined
  readonly nickname?: string | undefined
  readonly password?: string | undefined
  readonly roles: readonly string[]
  readonly orgIds?: readonly number[] | undefined
}

/** A change as an administrator makes it. */
interface UserToChange {
  readonly patch: UserPatch
  /** A picture of whoever changes it; null is none. */
  readonly avatarAttachmentId?: string | null | undefined
  readonly status?: 'active' | 'disabled' | undefined
  readonly roles?: readonly string[] | undefined
  readonly addRoles?: readonly string[] | undefined
  readonly removeRoles?: readonly string[] | undefined
  readonly orgIds?: readonly number[] | undefined
}

/** What a list shows. */
interface UserFilter extends Period {
  readonly status?: UserStatus
  readonly role?: string
  readonly account?: string
  readonly email?: string
  readonly phone?: string
  readonly locale?: string
  readonly two_factor_enabled?: boolean
  readonly org_id?: number
  readonly ids?: string
  readonly counts?: boolean
}

/** Users as administrators manage them; nobody reaches beyond their data scope, nor above what they hold themselves. */
export class UserService {
  readonly #parts: UserParts

  constructor(parts: UserParts) {
    this.#parts = parts
  }

  async list(principal: Principal, page: Page, filter: UserFilter) {
    const { access, store, reach } = this.#parts
    const { tenantId } = principal
    const plan = await reach.plan(principal, 'list')
    const ids = readIds(filter.ids)
    const { role, org_id: orgId, account, email, phone, status, locale, two_factor_enabled, from, to } = filter
    const holders = role === undefined ? undefined : await access.holdersOf(tenantId, role)
    const restrict = (query: QueryBuilderType<User>): void => {
      void query.where(whatIsGiven<string | boolean>({ locale, two_factor_enabled }))
      wherePeriod(query, 'created_at', { from, to })
      if (account !== undefined) void query.where('account', normaliseAccount(account))
      if (email !== undefined) void query.where('email', normaliseEmail(email))
      if (phone !== undefined) void query.where('phone', normalisePhone(phone))
      if (ids !== undefined) void query.whereRaw('users.id = any(?::int[])', [ids])
      if (holders !== undefined) void query.whereRaw('users.id = any(?::int[])', [holders])
      // Nobody has the id 0: members of the node remain.
      const node = { kind: 'filter', orgIds: [orgId ?? 0], userId: 0 } as const
      if (orgId !== undefined) access.restrictToMembers(query, node, 'users.id')
      access.restrictToMembers(query, plan, 'users.id')
    }
    const { results, total } = await store.list(tenantId, page, (query) => {
      restrict(query)
      void query.where(whatIsGiven({ status }))
    })
    const counts = filter.counts ? await store.countByStatus(tenantId, page, restrict) : undefined
    const found = results.map(({ id }) => id)
    const [roles, orgs] = await Promise.all([access.rolesOf(tenantId, found), access.orgsOf(tenantId, found)])
    const items = results.map((user) => presentUser(user, roles.get(user.id), orgs.get(user.id)))
    return { ...presentPage(page, total, items), ...(counts && { counts }) }
  }

  async get(principal: Principal, id: number): Promise<PresentedUser> {
    const { reach, directory } = this.#parts
    const user = await reach.find(principal.tenantId, id, await reach.plan(principal, 'detail'))
    if (!user) throw new NotFoundError()
    return directory.present(user)
  }

  async create(user: UserToCreate, writer: Writer): Promise<PresentedUser> {
    const { scope, access, audit, directory, store, reach } = this.#parts
    const { principal, state } = writer
    const { tenantId } = principal
    const { password, roles, orgIds, ...names } = user
    const nodes = await reach.nodesFor(principal, orgIds)
    const owner = { tenantId, tenantName: state.tenant?.name, ...names }
    const hash = password === undefined ? {} : { passwordHash: await directory.hashPassword(password, owner) }
    const created = await scope.db.transaction(async (trx) => {
      const row = await store.insert(tenantId, { ...names, ...hash }, trx)
      await access.assignRoles(tenantId, row.id, roles, trx, principal)
      if (nodes.length > 0) await access.assignOrgs(tenantId, row.id, nodes, trx, principal)
      const after = { ...names, roles, org_ids: nodes }
      await recordWrite(audit, { what: 'created', tenantId, target: `user:${row.id}`, after }, writer, trx)
      await scope.emitWithin(trx, usersChanged, { tenantId, userId: row.id, change: 'created' })
      return row
    })
    await scope.emit(usersChanged, { tenantId, userId: created.id, change: 'created' })
    return directory.present(created)
  }

  async update(id: number, change: UserToChange, writer: Writer): Promise<PresentedUser> {
    const { scope, access, reach, directory } = this.#parts
    const { tenantId, userId } = writer.principal
    requireProfile(change.patch)
    if (id === userId && change.status === 'disabled') throw new OwnAccountError()
    const reached = await reach.toWrite(writer.principal, 'update')
    const { after, happened } = await scope.db.transaction(async (trx) => {
      const user = await reach.findToWrite(tenantId, id, reached, trx)
      const row = await this.#change(user, change, writer, trx)
      const happened = { tenantId, userId: id, change: changeOf(user.status, row.status) } as const
      await scope.emitWithin(trx, usersChanged, happened)
      return { after: row, happened }
    })
    if (change.roles ?? change.addRoles ?? change.removeRoles ?? change.orgIds) await access.invalidate(tenantId)
    await scope.emit(usersChanged, happened)
    return directory.present(after)
  }

  async delete(id: number, writer: Writer): Promise<void> {
    const { scope, store, access, audit, reach, invitations, erasure } = this.#parts
    const { tenantId } = writer.principal
    const reached = await reach.toWrite(writer.principal, 'delete')
    await scope.db.transaction(async (trx) => {
      const user = await reach.findToWrite(tenantId, id, reached, trx)
      await keepLastHolder(this.#parts, tenantId, id, trx)
      const before = await describeUser(access, user, trx)
      await access.forgetUser(tenantId, id, trx)
      await invitations.deleteOpenOf(tenantId, id, trx)
      await store.delete(tenantId, id, trx)
      await recordWrite(audit, { what: 'deleted', tenantId, target: `user:${id}`, before }, writer, trx)
      await erasure.within(trx, tenantId, id)
    })
    await access.invalidate(tenantId)
    await erasure.begin(tenantId, id)
  }

  async #change(before: User, change: UserToChange, writer: Writer, trx: Knex.Transaction): Promise<User> {
    const { store, access, audit, avatars } = this.#parts
    const { tenantId, id } = before
    const { patch, avatarAttachmentId, status, orgIds } = change
    const roles = await this.#rolesAfter(before, change, trx)
    if (status !== undefined && before.status.startsWith('pending')) throw new RegistrationPendingError()
    const kept = tenantId === 0 ? 'super_admin' : 'tenant_owner'
    const losesRole = roles !== undefined && !roles.includes(kept)
    if (losesRole || status === 'disabled') await keepLastHolder(this.#parts, tenantId, id, trx)
    const was = await describeUser(access, before, trx)
    const isMoved = patch.email !== undefined && normaliseEmail(patch.email ?? '') !== before.email
    const whose = { tenantId, userId: id, chosenBy: writer.principal.userId }
    const avatarUrl = await avatars.change(trx, whose, { avatarUrl: patch.avatarUrl, avatarAttachmentId })
    await store.patch(tenantId, id, { ...patch, avatarUrl, status, ...(isMoved && { emailVerifiedAt: null }) }, trx)
    if (roles) await access.assignRoles(tenantId, id, roles, trx, writer.principal)
    if (orgIds) await access.assignOrgs(tenantId, id, orgIds, trx, writer.principal)
    const after = (await store.find(tenantId, id, trx)) ?? before
    const shown = { before: was, after: await describeUser(access, after, trx) }
    // What changed nothing is no change that anybody looks for later.
    if (!isDeepStrictEqual(shown.before, shown.after))
      await recordWrite(audit, { what: 'updated', tenantId, target: `user:${id}`, ...shown }, writer, trx)
    return after
  }

  /** The roles that a change leaves, reckoned from those held now, which nobody else changes meanwhile; undefined where they stay. */
  async #rolesAfter(
    { tenantId, id }: User,
    { roles, addRoles, removeRoles = [] }: UserToChange,
    trx: Knex.Transaction,
  ): Promise<readonly string[] | undefined> {
    if (roles === undefined && addRoles === undefined && removeRoles.length === 0) return undefined
    const held = new Set((await this.#parts.access.rolesOf(tenantId, [id], trx)).get(id)?.map(({ code }) => code))
    const wanted = new Set([...(roles ?? held), ...(addRoles ?? [])]).difference(new Set(removeRoles))
    // Whoever has them already is not given them again, which may be refused.
    return held.symmetricDifference(wanted).size === 0 ? undefined : [...wanted]
  }
}

function changeOf(before: UserStatus, after: UserStatus): 'enabled' | 'disabled' | 'updated' {
  if (before === after) return 'updated'
  return after === 'active' ? 'enabled' : 'disabled'
}
