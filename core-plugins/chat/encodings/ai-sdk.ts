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
        const id = data['call_id']
        const call = { toolCallId: id, toolName: data['name'], input: data['arguments'], dynamic: true }
        const asked = kind === 'tool.started' ? [] : [{ type: 'tool-approval-request', approvalId: id, toolCallId: id }]
        return [...close(), { type: 'tool-input-available', ...call }, ...asked]
      }
      case 'tool.completed': {
        const of = { toolCallId: data['call_id'], dynamic: true }
        if (data['ok'] === true) return [{ type: 'tool-output-available', ...of, output: data['summary'] }]
        return [{ type: 'tool-output-error', ...of, errorText: data['summary'] }]
      }
      case 'citation':
        return [...close(), sourceOf(data)]
      case 'message.replaced':
        return [...close(), { type: 'data-message-replaced', data: { text: data['text'], reason: data['reason'] } }]
      case 'run.completed':
        return [
          ...close(),
          { type: 'finish-step' },
          { type: 'finish', finishReason: finishOf(data), messageMetadata: { usage: data['usage'] } },
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

/** A document that the answer names by its index. */
function sourceOf(citation: RunEvent['data']): Chunk {
  const { chunk_id: sourceId, title } = citation
  const about = { type: 'source-document', sourceId, mediaType: 'text/plain', title }
  return { ...about, providerMetadata: { stoa: citation } }
}

function finishOf({ status, finish_reason: reason }: RunEvent['data']): string {
  if (status === 'awaiting_confirmation') return 'tool-calls'
  if (reason === 'content_filter') return 'content-filter'
  return reason === 'length' || reason === 'quota' || reason === 'tool_limit' ? 'length' : 'stop'
}

function metadataOf({ run_id, conversation_id, user_message_id }: RunEvent['data']) {
  return { run_id, conversation_id, user_message_id }
}
