import type { Knex } from 'knex'
import { compileSchemaCheck } from '#kernel'
import type { ChatConversations, ChatTool, ChatTurn } from '../../chat/contract.ts'
import { isGrounded, isHeard } from '../grounds.ts'
import { lockUser } from '../notes/owner.ts'
import { memoryEntry } from '../notes/memory-entry.ts'
import { remember } from '../notes/remember.ts'
import type { AgentMemory } from '../switches.ts'

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['text'],
  properties: {
    text: { type: 'string', minLength: 1, maxLength: 500, description: 'One short sentence about the user' },
    kind: { enum: ['fact', 'preference', 'goal', 'event'] },
  },
} as const
const check = compileSchemaCheck(schema, 'exact', 'lazily')
/** In one run. */
const mostCalls = 5

const refusals = {
  empty: 'Nothing is left of the text.',
  secret: 'Passwords, keys and numbers of cards are not remembered.',
  forgotten: 'The user had this forgotten.',
  full: 'Nothing more can be remembered of this user.',
} as const

interface SaveParts {
  readonly db: Knex
  readonly note: ChatConversations['note']
}

/** The tool by which a model has something remembered of the user: nothing that the user did not say, and never of anybody else. */
export function saveTool(turn: ChatTurn, { scope }: AgentMemory, { db, note }: SaveParts, title: string): ChatTool {
  let calls = 0
  return {
    ...{ name: 'memory_save', title, origin: 'memory', asks: false, schema },
    description: 'Remembers something that the user said about themselves, for later conversations with this user.',
    async call(input) {
      if (!check.isValid(input)) {
        const errors = check.explain(input, turn.locale)
        return { ok: false, code: 4220, reason: 'validation_failed', message: 'The argument does not fit.', errors }
      }
      const { text, kind = 'fact' } = input as { text: string; kind?: 'fact' | 'preference' | 'goal' | 'event' }
      calls += 1
      if (calls > mostCalls) return refused('No more can be remembered in this answer.')
      if (!isGrounded(text, turn.question) || !isHeard(text, turn.question))
        return refused('The user did not say this.')
      const { tenantId, userId } = turn.user
      const owner = { tenantId, userId }
      const stored = turn.stored
      if (!stored) return refused('Nothing is remembered of this conversation.')
      const became = await db.transaction(async (trx) => {
        await lockUser(owner, trx, { isChange: false })
        const saved = await remember(
          owner,
          {
            ...{ text, kind, confidence: 0.7, origin: 'tool', agentId: scope === 'agent' ? turn.agent.id : null },
            ...{
              conversationId: null,
              source: { conversationId: stored.conversationId, messages: [stored.userMessageId] },
            },
          },
          trx,
        )
        const entries = memoryEntry(saved, { type: 'agent', id: turn.agent.id })
        await note({ id: stored.conversationId, tenantId }, entries, trx)
        return saved
      })
      return became.became === 'refused' ? refused(refusals[became.because]) : { ok: true, content: { saved: true } }
    },
  }
}

function refused(message: string) {
  return { ok: false, code: 4220, reason: 'memory_invalid', message } as const
}
