import type { Knex } from 'knex'
import { presentPage, type Page, type Principal } from '#kernel'
import { holdsSecret } from '../grounds.ts'
import { MemoryExistsError, MemoryInvalidError, MemoryNotFoundError } from '../errors.ts'
import { forget } from '../notes/forget.ts'
import { liveOf, lockUser, type Owner } from '../notes/owner.ts'
import { MemoryRow, type MemoryKind } from '../tables.ts'
import { cleanText, normHash } from '../text-form.ts'
import { presentMemory } from './present.ts'

interface MemoryFilter {
  readonly kind?: MemoryKind
  readonly origin?: MemoryRow['origin']
  readonly agent_id?: string
  readonly conversation_id?: string
  readonly scope?: 'user' | 'conversation'
}

interface MemoryChange {
  readonly text?: string
  readonly kind?: MemoryKind
  readonly expires_at?: string | null
}

/** What is remembered of whoever asks. */
export class Memories {
  readonly #db: Knex

  constructor(db: Knex) {
    this.#db = db
  }

  async list(user: Principal, page: Page, filter: MemoryFilter) {
    const query = liveOf(ownerOf(user), this.#db)
    if (filter.kind !== undefined) void query.where({ kind: filter.kind })
    if (filter.origin !== undefined) void query.where({ origin: filter.origin })
    if (filter.agent_id !== undefined) void query.where({ agent_id: filter.agent_id })
    if (filter.conversation_id !== undefined) void query.where({ conversation_id: filter.conversation_id })
    if (filter.scope === 'user') void query.whereNull('conversation_id')
    if (filter.scope === 'conversation') void query.whereNotNull('conversation_id')
    if (page.pattern !== undefined) void query.whereILike('text', page.pattern)
    const { results, total } = await query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
    return presentPage(page, total, results.map(presentMemory))
  }

  /** All of it, as one file. */
  async export(user: Principal) {
    const rows = await liveOf(ownerOf(user), this.#db).orderBy(['created_at', 'id'])
    const exported_at = new Date().toISOString()
    return {
      format: 'stoa.memories' as const,
      format_version: 1 as const,
      exported_at,
      memories: rows.map(presentMemory),
    }
  }

  /** What the user writes holds for sure. Throws 404/4040, 409/4090 `memory_exists`, and 422/4220 for what is a secret. */
  async update(user: Principal, id: string, { text, kind, expires_at: expiry }: MemoryChange) {
    const owner = ownerOf(user)
    const clean = text === undefined ? undefined : cleanText(text)
    if (text !== undefined && (clean === undefined || holdsSecret(clean))) throw new MemoryInvalidError()
    return this.#db.transaction(async (trx) => {
      await lockUser(owner, trx, { isChange: true })
      const row = await liveOf(owner, trx).findById(id)
      if (!row) throw new MemoryNotFoundError()
      if (clean !== undefined) await refuseTwice(row, normHash(clean), trx)
      const changed = await MemoryRow.of(owner.tenantId, trx).patchAndFetchById(id, {
        ...(clean !== undefined && { text: clean, normHash: normHash(clean), origin: 'user', confidence: 1 }),
        ...(kind !== undefined && { kind }),
        ...(expiry !== undefined && { expiresAt: expiry === null ? null : new Date(expiry) }),
        updatedAt: new Date(),
      })
      return presentMemory(changed)
    })
  }

  /** Throws 404/4040. */
  async delete(user: Principal, id: string): Promise<void> {
    const owner = ownerOf(user)
    await this.#db.transaction(async (trx) => {
      await lockUser(owner, trx, { isChange: true })
      if ((await forget(owner, [id], trx)) === 0) throw new MemoryNotFoundError()
    })
  }
}

async function refuseTwice(
  { id, tenantId, userId, agentId }: MemoryRow,
  hash: string,
  trx: Knex.Transaction,
): Promise<void> {
  const same = await MemoryRow.of(tenantId, trx)
    .where({ user_id: userId, norm_hash: hash })
    .whereNull('deleted_at')
    .whereNot({ id })
    .whereRaw(`coalesce(agent_id, '') = ?`, [agentId ?? ''])
    .first()
  if (same) throw new MemoryExistsError({ details: { id: same.id } })
}

function ownerOf({ tenantId, userId }: Principal): Owner {
  return { tenantId, userId }
}
