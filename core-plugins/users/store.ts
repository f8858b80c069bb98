import type { Knex } from 'knex'
import { raw, type QueryBuilderType } from 'objection'
import { ValidationFailedError, type Page } from '#kernel'
import type { NamedUser } from '../access/contract.ts'
import { userStatuses, type NewUser, type UserQuery, type UserStatus } from './contract.ts'
import { isWritableEmail, normaliseAccount, normaliseEmail, normalisePhone, readIdentifier } from './identifier.ts'
import { User } from './models.ts'
import { duplicateUser } from './duplicate-user.ts'

/** What of a user may change; absent members stay. */
export type UserPatch = {
  readonly [name in Changeable]?: User[name] | undefined
}
type Changeable =
  | ('account' | 'email' | 'phone' | 'nickname' | 'avatarUrl' | 'status' | 'locale' | 'timezone')
  | ('lastLoginAt' | 'emailVerifiedAt' | 'twoFactorEnabled' | 'loginSecurity')

/** The rows of users; names are brought into their one spelling here. */
export class UserStore {
  readonly #db: Knex

  constructor(db: Knex) {
    this.#db = db
  }

  async find(tenantId: number, id: number, db: Knex = this.#db): Promise<User | undefined> {
    return User.of(tenantId, db).findById(id)
  }

  /** Finds a user whom nobody else changes until the transaction ends. */
  async findToChange(tenantId: number, id: number, trx: Knex.Transaction): Promise<User | undefined> {
    return User.of(tenantId, trx).findById(id).forUpdate()
  }

  async findByIdentifier(tenantId: number, typed: string): Promise<User | undefined> {
    const { column, value } = readIdentifier(typed)
    return User.of(tenantId, this.#db).findOne({ [column]: value })
  }

  /** Finds who has a number, in whatever form the number is written. */
  async findByPhone(tenantId: number, typed: string): Promise<User | undefined> {
    return User.of(tenantId, this.#db).findOne({ phone: normalisePhone(typed) })
  }

  /** A page of the users that the filter lets through. */
  async list(
    tenantId: number,
    page: Page,
    filter: (query: QueryBuilderType<User>) => void,
  ): Promise<{ results: User[]; total: number }> {
    const query = this.#found(tenantId, page, filter)
    return query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
  }

  /** How many users of each status the filter lets through. */
  async countByStatus(
    tenantId: number,
    page: Page,
    filter: (query: QueryBuilderType<User>) => void,
  ): Promise<Readonly<Record<UserStatus, number>>> {
    const rows = (await this.#found(tenantId, page, filter)
      .select('status')
      .count('* as count')
      .groupBy('status')) as unknown as readonly { readonly status: UserStatus; readonly count: string }[]
    const counts = new Map(rows.map(({ status, count }) => [status, Number(count)]))
    const entries = userStatuses.map((status) => [status, counts.get(status) ?? 0] as const)
    return Object.fromEntries(entries) as Record<UserStatus, number>
  }

  #found(tenantId: number, { pattern }: Page, filter: (query: QueryBuilderType<User>) => void): QueryBuilderType<User> {
    const query = User.of(tenantId, this.#db)
    filter(query)
    if (pattern !== undefined) {
      void query.where((group) => {
        for (const column of ['account', 'email', 'phone', 'nickname']) void group.orWhereILike(column, pattern)
      })
    }
    return query
  }

  async count(tenantId: number, filter: (query: QueryBuilderType<User>) => void): Promise<number> {
    const query = User.of(tenantId, this.#db)
    filter(query)
    return query.resultSize()
  }

  /** Users of whatever tenants, by id. */
  async byId(ids: readonly number[]): Promise<ReadonlyMap<number, User>> {
    const users = await User.acrossTenants(this.#db).whereRaw('id = any(?::bigint[])', [[...ids]])
    return new Map(users.map((user) => [Number(user.id), user]))
  }

  /** How many users some tenants have. */
  async countIn(tenantIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const rows = (await User.acrossTenants(this.#db)
      .select('tenant_id')
      .count('* as count')
      .whereRaw('tenant_id = any(?::int[])', [[...tenantIds]])
      .groupBy('tenant_id')) as unknown as readonly { readonly tenantId: number; readonly count: string }[]
    return new Map(rows.map(({ tenantId, count }) => [tenantId, Number(count)]))
  }

  /** The users that a query asks for, in the order of their ids. */
  async listById(tenantId: number, { q, ids, after, limit }: UserQuery): Promise<readonly User[]> {
    const query = User.of(tenantId, this.#db).orderBy('id').limit(limit)
    if (after !== undefined) void query.where('id', '>', after)
    if (ids !== undefined) void query.whereRaw('id = any(?::bigint[])', [ids])
    if (q !== undefined) {
      const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`
      void query.where((group) => void group.whereILike('nickname', pattern).orWhereILike('account', pattern))
    }
    return query
  }

  /** What users are called. */
  async namesOf(tenantId: number, ids: readonly number[]): Promise<ReadonlyMap<number, NamedUser>> {
    const users = await User.of(tenantId, this.#db)
      .select('id', 'nickname', 'account', 'email', 'avatar_url')
      .whereRaw('id = any(?::bigint[])', [[...ids]])
    return new Map(users.map((user) => [Number(user.id), nameOf(user)]))
  }

  async insert(tenantId: number, user: NewUser, db: Knex): Promise<User> {
    const row = {
      ...spelled(user),
      nickname: user.nickname ?? '',
      status: user.status ?? 'active',
      locale: user.locale ?? null,
      ...(user.passwordHash !== undefined && { passwordHash: user.passwordHash, passwordChangedAt: new Date() }),
    }
    try {
      return await User.of(tenantId, db).insert(row).returning('*')
    } catch (error) {
      throw duplicateUser(error)
    }
  }

  async patch(tenantId: number, id: number, change: UserPatch, db: Knex = this.#db): Promise<void> {
    try {
      await User.of(tenantId, db)
        .patch({ ...given(change), ...spelled(change), updatedAt: new Date() })
        .where('id', id)
    } catch (error) {
      throw duplicateUser(error)
    }
  }

  /** Stores the hash of a new password, which begins a new version of the credentials. */
  async renewHash(
    tenantId: number,
    id: number,
    { passwordHash, changeRequired }: { readonly passwordHash: string; readonly changeRequired: boolean },
    db: Knex = this.#db,
  ): Promise<void> {
    const now = new Date()
    const change = { passwordHash, passwordChangedAt: now, passwordChangeRequired: changeRequired, updatedAt: now }
    await User.of(tenantId, db)
      .patch({ ...change, version: raw('version + 1') })
      .where('id', id)
  }

  /** Stores the same password hashed anew, unless it was changed meanwhile. */
  async refreshHash({ tenantId, id, version }: User, passwordHash: string): Promise<void> {
    await User.of(tenantId, this.#db).patch({ passwordHash }).where({ id, version })
  }

  async delete(tenantId: number, id: number, trx: Knex.Transaction): Promise<void> {
    await User.of(tenantId, trx).deleteById(id)
  }

  /** Deletes every user of a tenant. */
  async deleteAll(tenantId: number): Promise<void> {
    await User.of(tenantId, this.#db).delete()
  }

  async countActive(tenantId: number, ids: readonly number[], trx: Knex.Transaction): Promise<number> {
    return User.of(tenantId, trx).whereIn('id', ids).where('status', 'active').resultSize()
  }
}

/** What a user is called: as they wish, or else by the account or address. */
export function nameOf({ id, nickname, account, email, avatarUrl }: User): NamedUser {
  return { nickname: nickname || account || email || String(id), avatarUrl }
}

/** A change without the members that say nothing. */
function given(change: UserPatch): Partial<Pick<User, Changeable>> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

type Names = { account?: string | null; email?: string | null; phone?: string | null }

/** The names that are given, in their one spelling; an empty one is none. Throws 422/4220 for an address nobody can write to. */
function spelled({ account, email, phone }: { [name in keyof Names]?: Names[name] | undefined }): Names {
  return {
    ...(account !== undefined && { account: account ? normaliseAccount(account) : null }),
    ...(email !== undefined && { email: email ? spelledEmail(email) : null }),
    ...(phone !== undefined && { phone: phone ? normalisePhone(phone) : null }),
  }
}

function spelledEmail(text: string): string {
  const email = normaliseEmail(text)
  if (isWritableEmail(email)) return email
  throw new ValidationFailedError({ errors: [{ field: 'email', rule: 'pattern', message: 'is no e-mail address' }] })
}
