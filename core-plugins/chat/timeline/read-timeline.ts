import type { Knex } from 'knex'
import type { ChatConversation, TimelineKind } from '../contract.ts'
import { refuse } from '../faults.ts'
import { kindsOfTimeline } from './kinds.ts'
import { TimelineRow } from './timeline-row.ts'

/** Bytes of all entries of a page. */
const mostBytes = 4 * 1_048_576

/** Which entries are wanted. */
interface TimelineWish {
  /** Some of the kinds, with commas between them. */
  readonly kinds?: string
  /** Those after this place. */
  readonly after?: string
  readonly limit?: number
}

/** The timeline of a conversation from a place on, oldest first; at most so many, and no more than an answer holds. Throws 422/4229. */
export async function readTimeline(
  { id, tenantId }: Pick<ChatConversation, 'id' | 'tenantId'>,
  { kinds, after = '0', limit = 100 }: TimelineWish,
  db: Knex,
) {
  const wanted = kinds === undefined ? kindsOfTimeline : kindsIn(kinds)
  const { rows: sized } = (await db
    .raw(
      `select seq, sum(octet_length(data) + 200) over (order by seq)::bigint as size from ai_timeline
        where conversation_id = ? and tenant_id = ? and seq > ? and kind = any(?::text[]) order by seq limit ?`,
      [id, tenantId, Number(after), [...wanted], limit + 1],
    )
    .queryContext({ tenant: tenantId })) as { rows: readonly { readonly seq: number; readonly size: string }[] }
  const shown = sized.filter(({ size }, at) => at === 0 || (at < limit && Number(size) <= mostBytes))
  const seqs = shown.map(({ seq }) => seq)
  const rows = await TimelineRow.of(tenantId, db).where({ conversation_id: id }).whereIn('seq', seqs).orderBy('seq')
  const hasMore = sized.length > shown.length
  return { items: rows.map(present), next_cursor: hasMore ? String(seqs.at(-1) ?? after) : null, has_more: hasMore }
}

function kindsIn(text: string): readonly TimelineKind[] {
  return text.split(',').map((kind) => {
    const known = kindsOfTimeline.find((each) => each === kind.trim())
    return known ?? refuse('kinds', 'known_kind', `names no kind: ${kindsOfTimeline.join(', ')}`)
  })
}

function present(row: TimelineRow) {
  return {
    ...{ id: `${row.conversationId}.${String(row.seq)}`, seq: row.seq, at: row.at.toISOString(), kind: row.kind },
    actor: { type: row.actorType, id: row.actorId },
    title: row.title,
    ref: row.refType === null ? null : { type: row.refType, id: row.refId },
    ...{ duration_ms: row.durationMs, tokens: row.tokens, cost: row.cost, data: row.data },
  }
}
