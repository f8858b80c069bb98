import type { Citation, Message, RunEvent, ToolCall, Usage } from '../../../api/chat.ts'
import { shownTool, type Shown } from './shown.ts'

/** Writes an event of a run into its answer; kinds that are not known change nothing. */
export function applyEvent({ kind, data }: RunEvent, answer: Shown): void {
  const text = (name: string) => (typeof data[name] === 'string' ? data[name] : '')
  switch (kind) {
    case 'message.delta':
      answer.text += text('text')
      return
    case 'message.replaced':
      answer.text = text('text')
      return
    case 'message.completed':
      answer.text = (data['message'] as Message).content
      return
    case 'citation':
      answer.citations = [...answer.citations, data as unknown as Citation]
      return
    case 'tool.started':
    case 'tool.confirmation_required':
      answer.tools.push(shownTool(data as unknown as ToolCall, kind === 'tool.started' ? 'running' : 'waiting'))
      return
    case 'tool.completed': {
      const tool = answer.tools.find(({ id }) => id === data['call_id'])
      if (!tool) return
      tool.state = data['ok'] === true ? 'ok' : 'failed'
      if (typeof data['duration_ms'] === 'number') tool.milliseconds = data['duration_ms']
      const { message } = (data['error'] ?? {}) as { message?: string }
      tool.result = message ?? (text('summary') || undefined)
      return
    }
    case 'usage':
      answer.usage = data as unknown as Usage
      return
    case 'run.completed':
    case 'run.cancelled':
    case 'run.failed':
      answer.finish = typeof data['finish_reason'] === 'string' ? data['finish_reason'] : endings[kind]
      answer.isRunning = false
  }
}

const endings = { 'run.completed': 'stop', 'run.cancelled': 'cancelled', 'run.failed': 'error' } as const
