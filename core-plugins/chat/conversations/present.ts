import type { AgentName } from '../../agents/contract.ts'
import type { ConversationRow, MessageRow } from '../tables.ts'

/** A conversation as its user sees it. */
export function presentConversation(row: ConversationRow, agent: AgentName | undefined) {
  return {
    ...{ id: row.id, title: row.title, agent: agent ?? { id: row.agentId, name: '', avatar_url: null } },
    ...{ message_count: row.messageCount, last_message: row.lastMessage, pinned: row.pinned, archived: row.archived },
    active_run_id: row.activeRunId,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }
}

/** A message as its user sees it; `siblings` are the messages that stand at the same place, itself included. */
export function presentMessage(row: MessageRow, siblings: readonly string[]) {
  return {
    ...{ id: row.id, parent_id: row.parentId, role: row.role, content: row.content },
    parts: row.parts.length > 0 ? row.parts : [{ type: 'text', text: row.content }],
    ...{ citations: row.citations, tool_calls: row.toolCalls },
    ...{ finish_reason: row.finishReason, usage: row.usage, feedback: row.feedback, siblings },
    ...{ client_message_id: row.clientMessageId, created_at: row.createdAt.toISOString() },
  }
}
