import type { Knex } from 'knex'
import {
  applyDataScope,
  hashOneTimeToken,
  whatIsGiven,
  wherePeriod,
  type DataScopePlan,
  type Page,
  type Period,
} from '#kernel'
import { normaliseEmail } from '../identifier.ts'
import { Invitation } from './models.ts'

/** What a list of invitations shows. */
type InvitationStatus = 'open' | 'used' | 'expired'

/** Which invitations a list shows; what is left out does not matter. */
export interface InvitationFilter extends Period {
  readonly status?: InvitationStatus
  readonly email?: string
  readonly invited_by?: number
  readonly used_by?: number
}

/** The rows of invitations. */
export class InvitationStore {
  readonly #db: Knex

  constructor(db: Knex) {
    this.#db = db
  }

  /** The invitation of a code that can still be used. */
  async findOpen(tenantId: number, code: string): Promise<Invitation | undefined> {
    return Invitation.of(tenantId, this.#db)
      .findOne({ code_hash: hashOneTimeToken(code) })
      .whereNull('used_at')
      .where('expires_at', '>', new Date())
  }

  /** Uses an invitation up, which one of several callers can. */
  async take({ tenantId, id }: Invitation, usedBy: number, trx: Knex.Transaction): Promise<boolean> {
    const now = new Date()
    const query = Invitation.of(tenantId, trx).patch({ usedAt: now, usedBy }).where('id', id)
    return (await query.whereNull('used_at').where('expires_at', '>', now)) === 1
  }

  /** Those of inviters whom the plan reaches. */
  async list(
    tenantId: number,
    page: Page,
    plan: DataScopePlan,
    { status, email, invited_by, used_by, from, to }: InvitationFilter,
  ): Promise<{ results: Invitation[]; total: number }> {
    const query = applyDataScope(Invitation.of(tenantId, this.#db), plan, { owner: 'invited_by' })
    void query.where(whatIsGiven({ invited_by, used_by }))
    wherePeriod(query, 'created_at', { from, to })
    if (email !== undefined) void query.where('email', normaliseEmail(email))
    if (status === 'used') void query.whereNotNull('used_at')
    if (status === 'open') void query.whereNull('used_at').where('expires_at', '>', new Date())
    if (status === 'expired') void query.whereNull('used_at').where('expires_at', '<=', new Date())
    if (page.pattern !== undefined) void query.whereILike('email', page.pattern)
    return query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
  }

  async insert(tenantId: number, invitation: Partial<Invitation>, trx: Knex.Transaction): Promise<Invitation> {
    return Invitation.of(tenantId, trx).insert(invitation).returning('*')
  }

  /** Deletes one of an inviter whom the plan reaches; undefined when there is none. */
  async delete(
    tenantId: number,
    id: number,
    plan: DataScopePlan,
    trx: Knex.Transaction,
  ): Promise<Invitation | undefined> {
    const query = applyDataScope(Invitation.of(tenantId, trx).where('id', id), plan, { owner: 'invited_by' })
    const [deleted] = await query.delete().returning('*')
    return deleted
  }

  /** Deletes those of an inviter that nobody has used. */
  async deleteOpenOf(tenantId: number, invitedBy: number, trx: Knex.Transaction): Promise<void> {
    await Invitation.of(tenantId, trx).delete().where('invited_by', invitedBy).whereNull('used_at')
  }

  /** Deletes all of a tenant. */
  async deleteAll(tenantId: number): Promise<void> {
    await Invitation.of(tenantId, this.#db).delete()
  }

  /** Forgets invitations that ended before a moment. */
  async sweep(before: Date): Promise<void> {
    await Invitation.acrossTenants(this.#db).delete().where('expires_at', '<', before)
  }
}
