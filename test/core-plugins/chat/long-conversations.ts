import type { Knex } from 'knex'
import { createSortableId } from '#kernel'
import type { NeutralMessage } from '../../../core-plugins/ai/contract.ts'
import { ConversationRow, MessageRow } from '../../../core-plugins/chat/tables.ts'

/** What was asked and answered; calls of tools stand in `said`. */
export interface SeededTurn {
  readonly ask: string
  readonly answer: string
  readonly said?: readonly NeutralMessage[]
}

/** A conversation as if all that had been said in it; answers its id and those of its messages. */
export async function seedConversation(
  db: Knex,
  { tenantId, userId, agentId }: { readonly tenantId: number; readonly userId: number; readonly agentId: string },
  turns: readonly SeededTurn[],
) {
  const id = createSortableId('cnv')
  const messages: Partial<MessageRow>[] = []
  const start = Date.now() - turns.length * 10_000
  for (const [at, { ask, answer, said }] of turns.entries()) {
    const parentId = messages.at(-1)?.id ?? null
    const question = createSortableId('msg', start + at * 10_000)
    const common = { conversationId: id, toolCalls: [] }
    messages.push({
      ...{ ...common, id: question, parentId, role: 'user', content: ask },
      said: [{ role: 'user', parts: [{ type: 'text', text: ask }] }],
    })
    messages.push({
      ...{ ...common, id: createSortableId('msg', start + at * 10_000 + 1), parentId: question, role: 'assistant' },
      ...{ content: answer, finishReason: 'stop' },
      said: said ?? [{ role: 'assistant', parts: [{ type: 'text', text: answer }] }],
    })
  }
  const row = { id, userId, agentId, title: 'Seeded', titledBy: 'user', lastMessage: null } as const
  const leafId = messages.at(-1)?.id ?? null
  await ConversationRow.of(tenantId, db).insert({ ...row, leafId, messageCount: messages.length })
  for (let at = 0; at < messages.length; at += 200) {
    await MessageRow.of(tenantId, db).insert(messages.slice(at, at + 200))
  }
  return { id, messages: messages.map((message) => message.id ?? '') }
}
