import type { Knex } from 'knex'
import { DataScopeError, NotFoundError, type DataScopePlan, type Principal } from '#kernel'
import type { Access } from '../access/contract.ts'
import { User } from './models.ts'

/** What somebody may do with users; the permission of its name. */
type UserAction = 'list' | 'detail' | 'create' | 'update' | 'delete' | 'reset_password' | 'approve'

/** Whom a writer reaches, asked before the transaction begins. */
interface WriteReach {
  readonly writer: Principal
  readonly writable: DataScopePlan
  readonly visible: readonly DataScopePlan[]
}

/** Whom an administrator reaches: users in the data scope of the permission, and nobody above. */
export class UserReach {
  readonly #db: Knex
  readonly #access: Access

  constructor(db: Knex, access: Access) {
    this.#db = db
    this.#access = access
  }

  /** Which users the permission reaches. */
  async plan(principal: Principal, action: UserAction): Promise<DataScopePlan> {
    const resource = principal.tenantId === 0 ? 'platform_user' : 'tenant_user'
    return this.#access.dataScope(principal, `${resource}:${action}`)
  }

  /** A user whom a plan reaches. */
  async find(tenantId: number, id: number, plan: DataScopePlan, db: Knex = this.#db): Promise<User | undefined> {
    return this.#access.restrictToMembers(User.of(tenantId, db), plan, 'users.id').findById(id)
  }

  /** Whom the writer reaches for a write, and who is known to be there when the write is refused. */
  async toWrite(writer: Principal, action: UserAction): Promise<WriteReach> {
    const [writable, ...visible] = await Promise.all([
      this.plan(writer, action),
      this.plan(writer, 'detail'),
      this.plan(writer, 'list'),
    ])
    return { writer, writable, visible }
  }

  /**
   * A user whom nobody else changes until the transaction ends. Throws 404/4040 for one whom the writer does not see,
   * 403/4031 for one who is out of reach or holds more than the writer.
   */
  async findToWrite(
    tenantId: number,
    id: number,
    { writer, writable, visible }: WriteReach,
    trx: Knex.Transaction,
  ): Promise<User> {
    const user = await User.of(tenantId, trx).findById(id).forUpdate()
    const reaches = async (plan: DataScopePlan): Promise<boolean> =>
      plan.kind === 'all' || (await this.find(tenantId, id, plan, trx)) !== undefined
    if (!user) throw new NotFoundError()
    if (!(await reaches(writable))) {
      const seen = await Promise.all(visible.map(reaches))
      throw seen.includes(true) ? new DataScopeError() : new NotFoundError()
    }
    await this.#access.requireAuthorityOver(writer, tenantId, id, trx)
    return user
  }

  /** Nodes of a newcomer: those asked for, or the maker's primary one where the maker could not reach the newcomer otherwise. */
  async nodesFor(maker: Principal, orgIds: readonly number[] = []): Promise<readonly number[]> {
    if (orgIds.length > 0 || (await this.plan(maker, 'create')).kind === 'all') return orgIds
    const primary = await this.#access.primaryOrgOf(maker.tenantId, maker.userId)
    return primary === null ? [] : [primary]
  }
}
