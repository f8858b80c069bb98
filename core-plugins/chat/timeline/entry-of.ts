import type { TimelineEntry } from '../contract.ts'
import type { RunEvent, RunUsage } from '../run-events.ts'
import type { RunRow } from '../tables.ts'

type Data = RunEvent['data']
type Entry = Omit<TimelineEntry, 'at' | 'data'>

/** An event of a run, as the timeline keeps it: whatever its kind, `data` is the event's own, with its kind and run. */
export function entryOf(event: RunEvent & { readonly at?: Date }, run: RunRow): TimelineEntry | undefined {
  if (event.kind === 'message.delta' || event.kind === 'reasoning.delta') return undefined
  const { kind, data, at } = event
  return { ...shownOf(event, run), data: { event: kind, run_id: run.id, ...data }, ...(at && { at }) }
}

function shownOf({ kind, data }: RunEvent, run: RunRow): Entry {
  const agent = { type: 'agent', id: run.agentId } as const
  const answer = { type: 'message', id: run.messageId } as const
  const user = { type: 'user', id: String(run.userId) } as const
  switch (kind) {
    case 'run.started':
      return { kind: 'message', actor: user, title: 'Question', ref: { type: 'message', id: run.userMessageId } }
    case 'context.ready':
      return data['compaction']
        ? { kind: 'compaction', actor: { type: 'system' }, title: 'Summary in use' }
        : { kind: 'retrieval', actor: { type: 'system' }, title: 'Context', tokens: numberIn(data, 'used') }
    case 'route.switched':
      return { kind: 'route', actor: { type: 'system' }, title: textIn(data, 'reason') }
    case 'message.replaced':
      return { kind: 'guardrail', actor: { type: 'system' }, title: textIn(data, 'reason'), ref: answer }
    case 'tool.started':
    case 'tool.confirmation_required':
    case 'tool.completed':
      return toolEntry(data, agent)
    case 'citation':
      return {
        kind: 'retrieval',
        actor: agent,
        title: textIn(data, 'title'),
        ref: { type: 'chunk', id: textIn(data, 'chunk_id') },
      }
    case 'message.completed': {
      const title = textIn((data['message'] ?? {}) as Data, 'content')
      return { kind: 'message', actor: agent, title, ref: answer }
    }
    case 'run.failed': {
      const error = (data['error'] ?? {}) as Data
      const isQuota = error['code'] === 4296
      return {
        kind: isQuota ? 'quota' : 'error',
        actor: { type: 'system' },
        title: textIn(error, 'message'),
        ref: answer,
        ...costOf(data),
      }
    }
    case 'run.cancelled':
      return { kind: 'message', actor: user, title: 'Cancelled', ref: answer, ...costOf(data) }
    default:
      return { kind: 'message', actor: agent, title: textIn(data, 'finish_reason'), ref: answer, ...costOf(data) }
  }
}

function toolEntry(data: Data, agent: TimelineEntry['actor']): Entry {
  const { plugin } = data
  return {
    ...{ kind: 'tool', actor: typeof plugin === 'string' ? { type: 'plugin', id: plugin } : agent },
    title: textIn(data, 'title') || textIn(data, 'summary'),
    ref: { type: 'tool_call', id: textIn(data, 'call_id') },
    durationMs: numberIn(data, 'duration_ms'),
  }
}

function costOf(data: Data): Pick<TimelineEntry, 'tokens' | 'cost'> {
  const usage = (data['usage'] ?? ('total_tokens' in data ? data : undefined)) as RunUsage | undefined
  return usage ? { tokens: usage.total_tokens, cost: usage.cost } : {}
}

function textIn(data: Data, field: string): string {
  const value = data[field]
  return typeof value === 'string' ? value : ''
}

function numberIn(data: Data, field: string): number | undefined {
  const value = data[field]
  return typeof value === 'number' ? value : undefined
}
