import type { Knex } from 'knex'
import { createSortableId } from '#kernel'
import { holdsSecret } from '../grounds.ts'
import { MemoryRow, type MemoryKind } from '../tables.ts'
import { cleanText, isNearlySame, normHash } from '../text-form.ts'
import { liveOf, type Owner } from './owner.ts'

/** Something to be remembered. */
interface NewMemory {
  readonly text: string
  readonly kind: MemoryKind
  readonly confidence: number
  readonly origin: MemoryRow['origin']
  readonly agentId: string | null
  readonly conversationId: string | null
  readonly source: { readonly conversationId: string; readonly messages: readonly string[] }
  /** The memory that it takes the place of. */
  readonly supersedes?: MemoryRow | undefined
}

/** What became of it. */
type Remembered =
  | { readonly became: 'added' | 'superseded' | 'merged'; readonly memory: MemoryRow }
  | { readonly became: 'refused'; readonly because: 'empty' | 'secret' | 'forgotten' | 'full' }

/** Memories of one user. */
const mostMemories = 500
const mostSources = 20

/**
 * Remembers something of a user, whose row is locked. What is known already only gets another source; what the user deleted is not learnt
 * again unless the user asks for it.
 */
export async function remember(owner: Owner, wish: NewMemory, trx: Knex.Transaction): Promise<Remembered> {
  const text = cleanText(wish.text)
  if (text === undefined) return { became: 'refused', because: 'empty' }
  if (holdsSecret(text)) return { became: 'refused', because: 'secret' }
  const hash = normHash(text)
  const ofAgent = () => {
    const query = MemoryRow.of(owner.tenantId, trx).where({ user_id: owner.userId })
    return wish.agentId === null ? query.whereNull('agent_id') : query.where({ agent_id: wish.agentId })
  }
  const live = await liveOf(owner, trx)
  const same =
    (await ofAgent().where({ norm_hash: hash }).whereNull('deleted_at').first()) ??
    live.find(
      (each) => each.agentId === wish.agentId && each.id !== wish.supersedes?.id && isNearlySame(each.text, text),
    )
  if (same) return { became: 'merged', memory: await merge(same, wish, trx) }
  if (wish.origin !== 'wish') {
    const forgotten = await ofAgent().where({ norm_hash: hash }).whereNotNull('deleted_at').first()
    if (forgotten) return { became: 'refused', because: 'forgotten' }
  }
  if (live.length >= mostMemories && !wish.supersedes) return { became: 'refused', because: 'full' }
  const memory = await MemoryRow.of(owner.tenantId, trx)
    .insert({
      ...{ id: createSortableId('mem'), userId: owner.userId, agentId: wish.agentId, kind: wish.kind, text },
      ...{ conversationId: wish.conversationId, normHash: hash, confidence: wish.confidence, origin: wish.origin },
      ...{
        sourceMsgs: [...wish.source.messages].slice(-mostSources),
        sourceConversations: [wish.source.conversationId],
      },
      supersedes: wish.supersedes?.id ?? null,
    })
    .returning('*')
  if (!wish.supersedes) return { became: 'added', memory }
  await MemoryRow.of(owner.tenantId, trx).findById(wish.supersedes.id).patch({ supersededBy: memory.id })
  return { became: 'superseded', memory }
}

/** One more source; a fact of one conversation that another one tells too is the user's. */
async function merge(same: MemoryRow, wish: NewMemory, trx: Knex.Transaction): Promise<MemoryRow> {
  const isWider = same.conversationId !== wish.conversationId
  const other = wish.supersedes?.id === same.id ? undefined : wish.supersedes
  const merged = await MemoryRow.of(same.tenantId, trx).patchAndFetchById(same.id, {
    ...{ sourceMsgs: joined(same.sourceMsgs, wish.source.messages), supersededBy: null, updatedAt: new Date() },
    sourceConversations: joined(same.sourceConversations, [wish.source.conversationId]),
    ...{ confidence: Math.max(same.confidence, wish.confidence), ...(isWider && { conversationId: null }) },
    ...(other && { supersedes: other.id }),
    ...(same.expiresAt && same.expiresAt <= new Date() && { expiresAt: null }),
  })
  if (other) await MemoryRow.of(same.tenantId, trx).findById(other.id).patch({ supersededBy: same.id })
  return merged
}

function joined(known: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...known, ...more])].slice(-mostSources)
}
