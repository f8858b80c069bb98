import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import type { AgentDirectory } from '../../agents/contract.ts'
import type { AiGateway } from '../../ai/contract.ts'
import { ConversationBusyError, NothingToCompactError } from '../errors.ts'
import type { ConversationRow } from '../tables.ts'
import { budgetOf } from './budget.ts'
import { readPath } from './path.ts'
import { presentSnapshot, presentVersion, type CompactionState } from './present.ts'
import type { Compaction } from './service.ts'
import { fitting, listSnapshots } from './snapshots.ts'
import { CompactionStateRow } from './tables.ts'
import type { CompactMethod } from './types.ts'

interface UserCompactionParts {
  readonly db: Knex
  readonly agents: AgentDirectory
  readonly gateway: AiGateway
  readonly compaction: Compaction
  /** Throws 404/4047, also for somebody else's. */
  readonly find: (user: Principal, conversationId: string) => Promise<ConversationRow>
}

interface UserWish {
  readonly method?: CompactMethod
  readonly keep_last_turns?: number
  readonly instructions?: string
  readonly force?: boolean
}

const usualTurns = 6

/** What older messages come to, for whose conversation it is. */
export class UserCompactions {
  readonly #parts: UserCompactionParts

  constructor(parts: UserCompactionParts) {
    this.#parts = parts
  }

  /** The snapshot that counts on the branch where the conversation goes on, or the youngest one; with what was before. Throws 404/4047. */
  async get(user: Principal, conversationId: string) {
    const { db } = this.#parts
    const conversation = await this.#parts.find(user, conversationId)
    const snapshots = await listSnapshots(conversation, db)
    const work = await CompactionStateRow.of(user.tenantId, db).findById(conversationId)
    const path =
      conversation.leafId === null || snapshots.length === 0
        ? []
        : await readPath(conversation.leafId, { tenantId: user.tenantId, conversationId }, db)
    const fresh = fitting(snapshots, path)?.snapshot
    const shown = fresh ?? snapshots[0]
    const isBuilding = work?.buildingUntil !== null && (work?.buildingUntil?.getTime() ?? 0) > Date.now()
    let state: CompactionState = fresh ? 'fresh' : shown ? 'stale' : 'none'
    if (!fresh && (work?.failedAt ?? null) !== null) state = 'failed'
    if (isBuilding) state = 'building'
    return {
      ...{ state, snapshot: shown ? presentSnapshot(shown) : null },
      history: snapshots.filter((each) => each !== shown).map(presentVersion),
    }
  }

  /** What stands in the place of older messages where a conversation goes on; null where nothing does. */
  async briefOf({ id, tenantId, leafId }: ConversationRow) {
    const { db } = this.#parts
    const snapshots = leafId === null ? [] : await listSnapshots({ id, tenantId }, db)
    if (leafId === null || snapshots.length === 0) return null
    const at = fitting(snapshots, await readPath(leafId, { tenantId, conversationId: id }, db))
    return at ? { snapshot_id: at.snapshot.id, covered: at.covered, version: at.snapshot.version } : null
  }

  /** Throws 404/4047, 403/4036 where AI is switched off, and 409/4094 while an answer or another snapshot is being made. */
  async make(
    user: Principal,
    conversationId: string,
    wish: UserWish,
    { traceId, signal }: { readonly traceId: string; readonly signal: AbortSignal },
  ) {
    const { agents, gateway, compaction } = this.#parts
    const conversation = await this.#parts.find(user, conversationId)
    const { definition } = await agents.get(user, conversation.agentId)
    const { leafId, activeRunId } = conversation
    if (activeRunId !== null) throw new ConversationBusyError({ details: { run_id: activeRunId } })
    if (leafId === null) throw new NothingToCompactError()
    const { budget } = budgetOf(definition, gateway.find(definition.model, user.tenantId), [])
    const snapshot = await compaction.compact({
      ...{ conversation, leafId, model: definition.model, budget, builtBy: 'user', traceId, signal },
      ...{ method: wish.method ?? 'auto', keepLastTurns: wish.keep_last_turns ?? usualTurns },
      ...{ instructions: wish.instructions, force: wish.force },
    })
    return presentSnapshot(snapshot)
  }
}
