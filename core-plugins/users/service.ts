import type { Knex } from 'knex'
import { NotFoundError, presentPage, type Page, type Principal, type RequestState, type Scope } from '#kernel'
import type { Access, Audit } from '../access/contract.ts'
import { usersChanged, type PresentedUser, type UserDirectory, type UserStatus } from './contract.ts'
import { keepLastHolder } from './last-holder.ts'
import type { User } from './models.ts'
import { presentUser } from './present.ts'
import type { UserPatch, UserStore } from './store.ts'

/** What the management of users stands on. */
export interface UserParts {
  readonly scope: Scope
  readonly store: UserStore
  readonly access: Access
  readonly audit: Audit
  readonly directory: UserDirectory
}

/** A user as an administrator creates it. */
export interface UserToCreate {
  readonly account?: string | undefined
  readonly email: string
  readonly phone?: string | undefined
  readonly nickname?: string | undefined
  readonly password?: string | undefined
  readonly roles: readonly string[]
}

/** A change as an administrator makes it. */
export interface UserToChange {
  readonly patch: UserPatch
  readonly status?: UserStatus | undefined
  readonly roles?: readonly string[] | undefined
}

/** Who writes, for the checks and the log. */
export interface Writer {
  readonly principal: Principal
  readonly state: RequestState
}

/** Users as administrators manage them; nobody reaches above what they hold themselves. */
export class UserService {
  readonly #parts: UserParts

  constructor(parts: UserParts) {
    this.#parts = parts
  }

  async list(tenantId: number, page: Page, filter: { status?: string }) {
    const { results, total } = await this.#parts.store.list(tenantId, page, filter)
    const ids = results.map(({ id }) => id)
    const roles = await this.#parts.access.rolesOf(tenantId, ids)
    return presentPage(
      page,
      total,
      results.map((user) => presentUser(user, roles.get(user.id) ?? [])),
    )
  }

  async get(tenantId: number, id: number): Promise<PresentedUser> {
    const user = await this.#parts.store.find(tenantId, id)
    if (!user) throw new NotFoundError()
    return this.#parts.directory.present(user)
  }

  async create(tenantId: number, user: UserToCreate, writer: Writer): Promise<PresentedUser> {
    const { scope, access, directory, store } = this.#parts
    const { password, roles, ...names } = user
    const hash =
      password === undefined ? {} : { passwordHash: await directory.hashPassword(password, { tenantId, ...names }) }
    const created = await scope.db.transaction(async (trx) => {
      const row = await store.insert(tenantId, { ...names, ...hash }, trx)
      await access.assignRoles(tenantId, row.id, roles, trx, writer.principal)
      await this.#record('created', tenantId, row.id, writer, trx, { after: { ...names, roles } })
      return row
    })
    await scope.emit(usersChanged, { tenantId, userId: created.id, change: 'created' })
    return directory.present(created)
  }

  async update(tenantId: number, id: number, change: UserToChange, writer: Writer): Promise<PresentedUser> {
    const { scope, access } = this.#parts
    const { before, after } = await scope.db.transaction((trx) => this.#change(tenantId, id, change, writer, trx))
    if (change.roles) await access.invalidate(tenantId)
    await scope.emit(usersChanged, { tenantId, userId: id, change: changeOf(before.status, after.status) })
    return this.#parts.directory.present(after)
  }

  async delete(tenantId: number, id: number, writer: Writer): Promise<void> {
    const { scope, store, access } = this.#parts
    await scope.db.transaction(async (trx) => {
      const user = await this.#findBelow(tenantId, id, writer.principal, trx)
      await keepLastHolder(this.#parts, tenantId, id, trx)
      await access.forgetUser(tenantId, id, trx)
      await store.delete(tenantId, id, trx)
      await this.#record('deleted', tenantId, id, writer, trx, { before: presentUser(user, []) })
    })
    await access.invalidate(tenantId)
    await scope.emit(usersChanged, { tenantId, userId: id, change: 'deleted' })
  }

  async #change(
    tenantId: number,
    id: number,
    { patch, status, roles }: UserToChange,
    writer: Writer,
    trx: Knex.Transaction,
  ): Promise<{ before: User; after: User }> {
    const { store, access } = this.#parts
    const before = await this.#findBelow(tenantId, id, writer.principal, trx)
    const kept = tenantId === 0 ? 'super_admin' : 'tenant_owner'
    const losesRole = roles !== undefined && !roles.includes(kept)
    if (losesRole || (status !== undefined && status !== 'active')) await keepLastHolder(this.#parts, tenantId, id, trx)
    await store.patch(tenantId, id, { ...patch, status }, trx)
    if (roles) await access.assignRoles(tenantId, id, roles, trx, writer.principal)
    const after = (await store.find(tenantId, id, trx)) ?? before
    const shown = [before, after].map((user) => presentUser(user, []))
    await this.#record('updated', tenantId, id, writer, trx, {
      before: shown[0],
      after: { ...shown[1], ...(roles && { roles }) },
    })
    return { before, after }
  }

  async #findBelow(tenantId: number, id: number, actor: Principal, trx: Knex.Transaction): Promise<User> {
    const user = await this.#parts.store.findToChange(tenantId, id, trx)
    if (!user) throw new NotFoundError()
    await this.#parts.access.requireAuthorityOver(actor, tenantId, id, trx)
    return user
  }

  async #record(
    what: string,
    tenantId: number,
    id: number,
    { principal, state }: Writer,
    trx: Knex.Transaction,
    change: { before?: unknown; after?: unknown },
  ): Promise<void> {
    const action = `${tenantId === 0 ? 'platform_user' : 'tenant_user'}.${what}`
    const entry = { tenantId, actor: principal, action, target: `user:${id}`, traceId: state.traceId, ...change }
    await this.#parts.audit.record(entry, trx)
  }
}

function changeOf(before: UserStatus, after: UserStatus): 'enabled' | 'disabled' | 'updated' {
  if (before === after) return 'updated'
  return after === 'active' ? 'enabled' : 'disabled'
}
