import type { Citation, Message, ToolCall, Usage } from '../../../api/chat.ts'

/** A call of a tool as it is shown. */
export interface ShownTool {
  readonly id: string
  readonly title: string
  readonly plugin: string | null
  readonly given: readonly (readonly [string, string])[]
  state: 'running' | 'ok' | 'failed' | 'refused' | 'waiting'
  readonly expiresAt: string | undefined
  milliseconds: number | undefined
  /** How what came of it begins. */
  result: string | undefined
}

/** A file that was sent with a question. */
export interface ShownFile {
  readonly id: string
  readonly name: string
}

/** A message as it is shown. */
export interface Shown {
  readonly id: string
  readonly parentId: string | null
  readonly role: 'user' | 'assistant'
  text: string
  isRunning: boolean
  finish: string | null
  citations: readonly Citation[]
  tools: ShownTool[]
  readonly files: readonly ShownFile[]
  rating: 'up' | 'down' | null
  usage: Usage | null
}

const states = { ok: 'ok', error: 'failed', refused: 'refused', awaiting_confirmation: 'waiting' } as const

/** A message that nothing was said in yet. */
export function emptyMessage(id: string, parentId: string | null, role: Shown['role']): Shown {
  const nothing = { finish: null, citations: [], tools: [], files: [], rating: null, usage: null }
  return { id, parentId, role, text: '', isRunning: false, ...nothing }
}

/** A message of the server. */
export function shownMessage(message: Message): Shown {
  const { id, parent_id: parentId, role, content, finish_reason: finish, citations, tool_calls: calls } = message
  const { feedback, usage, parts } = message
  const files = parts.flatMap((part) => (part.type === 'text' ? [] : [{ id: part.attachment_id, name: part.filename }]))
  return {
    ...{ id, parentId, role, text: content, isRunning: false, finish, citations, files },
    ...{ tools: calls.map((each) => shownTool(each, states[each.status])) },
    ...{ rating: feedback?.rating ?? null, usage: usage ?? null },
  }
}

/** A call of a tool, from a message or an event. */
export function shownTool(call: ToolCall & { readonly call_id?: string }, state: ShownTool['state']): ShownTool {
  const { id, call_id: callId = id, title, name, plugin = null, arguments: given, expires_at: expiresAt } = call
  return {
    ...{
      id: callId,
      title: title || name,
      plugin,
      state,
      expiresAt,
      milliseconds: call.duration_ms,
      result: undefined,
    },
    given: Object.entries(isObject(given) ? given : {}).map(
      ([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as const,
    ),
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
