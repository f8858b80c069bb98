import type { Knex } from 'knex'
import { ExpiringMap, pickText, type Logger } from '#kernel'
import type { AiGateway } from '../ai/contract.ts'
import type { AnsweredTurn, ChatContribution, ChatContributor, ChatConversations, ChatTurn } from '../chat/contract.ts'
import type { Jobs } from '../jobs/contract.ts'
import { enqueueExtraction } from './learning/extract-job.ts'
import { saveTool } from './learning/save-tool.ts'
import { wishesIn } from './learning/wishes.ts'
import { eraseIfGone, type Registers } from './erase-if-gone.ts'
import { lockUser } from './notes/owner.ts'
import { memoryEntry } from './notes/memory-entry.ts'
import { remember } from './notes/remember.ts'
import type { Switches } from './switches.ts'
import { MemoryRow } from './tables.ts'
import { texts } from './texts/texts.ts'
import { fitting, tellable } from './recall/choose.ts'
import { rank } from './recall/rank.ts'

interface ContributorParts extends Registers {
  readonly db: Knex
  readonly log: Logger
  readonly gateway: AiGateway
  readonly jobs: Jobs
  readonly switches: Switches
  /** Adds to the timeline of a conversation. */
  readonly note: ChatConversations['note']
  /** What goes with a conversation that is deleted. */
  readonly deleted: NonNullable<ChatContributor['deleted']>
}

const rule =
  'The data named memory is what is known of the user from before. Use it where it helps; what the user says now counts more. Do not speak of it unless asked.'
const toldMs = 600_000
const mostTold = 10_000

/** Tells agents what is remembered of a user, and learns after their answers. */
export class MemoryContributor implements ChatContributor {
  readonly name = 'memory'
  readonly #parts: ContributorParts
  /** What runs were told, until they have answered. */
  readonly #told = new ExpiringMap<string, readonly string[]>(mostTold)

  constructor(parts: ContributorParts) {
    this.#parts = parts
  }

  /** What may not be told keeps nobody from an answer. */
  async prepare(turn: ChatTurn): Promise<ChatContribution> {
    try {
      return turn.usesMemory ? await this.#prepare(turn) : {}
    } catch (error) {
      this.#parts.log.warn({ err: error, run_id: turn.runId }, 'an agent was not told what is remembered')
      return {}
    }
  }

  async answered(turn: AnsweredTurn): Promise<void> {
    const { db, jobs, switches } = this.#parts
    const { user, agent, stored, traceId, question } = turn
    const owner = { tenantId: user.tenantId, userId: user.userId }
    const told = this.#told.get(turn.runId) ?? []
    this.#told.delete(turn.runId)
    if (!turn.usesMemory) return
    if (told.length > 0) {
      const used = { usedCount: db.raw('used_count + 1') as never, usedAt: new Date() }
      await MemoryRow.of(owner.tenantId, db)
        .where({ user_id: owner.userId })
        .whereIn('id', [...told])
        .patch(used)
    }
    const memory = await switches.of(owner, agent.definition)
    if (!memory) return
    const { conversationId, userMessageId } = stored
    const wishes = wishesIn(question)
    if (wishes.length > 0) {
      await db.transaction(async (trx) => {
        await lockUser(owner, trx, { isChange: false })
        for (const { text, kind } of wishes) {
          const agentId = memory.scope === 'agent' ? agent.id : null
          const source = { conversationId, messages: [userMessageId] }
          const how = { confidence: 0.95, origin: 'wish', conversationId: null } as const
          const became = await remember(owner, { text, kind, agentId, source, ...how }, trx)
          const actor = { type: 'user', id: String(owner.userId) } as const
          await this.#parts.note({ id: conversationId, tenantId: owner.tenantId }, memoryEntry(became, actor), trx)
        }
      })
      await eraseIfGone(owner, this.#parts, db)
    }
    if (!memory.extract) return
    const about = { userId: owner.userId, conversationId, agentId: agent.id, scope: memory.scope, traceId }
    await enqueueExtraction(jobs, db, owner.tenantId, { ...about, model: agent.definition.model })
  }

  deleted(...given: Parameters<ContributorParts['deleted']>): Promise<number> {
    return this.#parts.deleted(...given)
  }

  async #prepare(turn: ChatTurn): Promise<ChatContribution> {
    const { db, gateway, switches } = this.#parts
    const { user, agent, stored, question, locale } = turn
    const owner = { tenantId: user.tenantId, userId: user.userId }
    const { enabled, scope } = switches.asSet(agent.definition)
    if (!enabled) return {}
    const place = { agentId: agent.id, conversationId: stored?.conversationId ?? null, scope }
    // Read beside each other: who waits for an answer waits for the slower one alone.
    const [memory, all] = await Promise.all([switches.of(owner, agent.definition), tellable(owner, place, db)])
    if (!memory) return {}
    const { chosen } = fitting(rank(all, question))
    if (stored) {
      const ids = chosen.map(({ id }) => id)
      this.#told.set(turn.runId, ids, toldMs)
    }
    const canCall = gateway.find(agent.definition.model, owner.tenantId)?.capabilities['tools'] !== false
    const text = chosen.map(({ text: each, kind }) => `- ${each} (${kind})`).join('\n')
    return {
      ...(chosen.length > 0 && {
        sections: [
          { name: 'memory-rule', kind: 'instructions', text: rule },
          { name: 'memory', kind: 'data', text },
        ],
      }),
      ...(memory.tool &&
        stored &&
        canCall && {
          tools: [saveTool(turn, memory, { db, note: this.#parts.note }, pickText(texts.of('memory_save'), locale))],
        }),
      context: { memories: chosen.length },
    }
  }
}
