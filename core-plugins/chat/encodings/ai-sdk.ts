import type { RunEvent } from '../run-events.ts'

type Chunk = Readonly<Record<string, unknown>>

/** Tells events as the AI SDK's UI message stream (version 1), which `useChat` reads. */
export function aiSdkWriter(): (event: RunEvent) => readonly unknown[] {
  let open: { readonly type: 'text' | 'reasoning'; readonly id: string } | undefined
  let count = 0

  function close(): readonly Chunk[] {
    const ended = open && { type: `${open.type}-end`, id: open.id }
    open = undefined
    return ended ? [ended] : []
  }

  function piece(type: 'text' | 'reasoning', delta: unknown): readonly Chunk[] {
    const before: Chunk[] = open?.type === type ? [] : [...close()]
    if (!open) {
      open = { type, id: `${type}-${String(count++)}` }
      before.push({ type: `${type}-start`, id: open.id })
    }
    return [...before, { type: `${type}-delta`, id: open.id, delta }]
  }

  return ({ kind, data }) => {
    switch (kind) {
      case 'run.started':
        return [
          { type: 'start', messageId: data['message_id'], messageMetadata: metadataOf(data) },
          { type: 'start-step' },
        ]
      case 'message.delta':
        return piece('text', data['text'])
      case 'reasoning.delta':
        return piece('reasoning', data['text'])
      case 'tool.started':
      case 'tool.confirmation_required': {
        const call = { toolCallId: data['call_id'], toolName: data['name'], input: data['arguments'], dynamic: true }
        return [...close(), { type: 'tool-input-available', ...call }]
      }
      case 'tool.completed': {
        const of = { toolCallId: data['call_id'], dynamic: true }
        if (data['ok'] === true) return [{ type: 'tool-output-available', ...of, output: data['summary'] }]
        return [{ type: 'tool-output-error', ...of, errorText: data['summary'] }]
      }
      case 'run.completed':
        return [
          ...close(),
          { type: 'finish-step' },
          { type: 'finish', messageMetadata: { usage: data['usage'] } },
          '[DONE]',
        ]
      case 'run.cancelled':
        return [...close(), { type: 'abort' }, '[DONE]']
      case 'run.failed': {
        const { message } = data['error'] as { readonly message: string }
        return [...close(), { type: 'error', errorText: message }, '[DONE]']
      }
      default:
        return []
    }
  }
}

function metadataOf({ run_id, conversation_id, user_message_id }: RunEvent['data']) {
  return { run_id, conversation_id, user_message_id }
}
