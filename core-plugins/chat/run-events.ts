/** Where a run is. */
export type RunStatus = 'running' | 'completed' | 'awaiting_confirmation' | 'cancelled' | 'failed'

/** Why an answer ended. */
export type FinishReason = 'stop' | 'length' | 'tool_limit' | 'content_filter' | 'quota' | 'cancelled' | 'error'

/** What a run took, as the wire has it. */
export interface RunUsage {
  readonly input_tokens: number
  readonly cached_input_tokens: number
  readonly output_tokens: number
  readonly reasoning_tokens: number
  readonly total_tokens: number
  /** A decimal of the platform's currency. */
  readonly cost: string
  readonly currency: string
  readonly source: string
}

/** A call of a tool, as an answer keeps it. */
export interface ToolCallRecord {
  readonly id: string
  /** As the model calls it. */
  readonly name: string
  readonly title: string
  readonly plugin: string | null
  readonly arguments: unknown
  readonly status: 'ok' | 'error' | 'refused' | 'awaiting_confirmation'
  readonly duration_ms: number
  /** The file of the user's with all that the tool answered, where that is more than the model reads. */
  readonly attachment_id?: string
  /** Of one that waits: the moment after which it is not made any more. */
  readonly expires_at?: string
}

/** One event of a run; `data` has the same `seq`. */
export interface RunEvent {
  readonly seq: number
  readonly kind: RunEventKind
  readonly data: Readonly<Record<string, unknown>>
}

const terminal = ['run.completed', 'run.cancelled', 'run.failed'] as const
type RunEventKind =
  | (typeof terminal)[number]
  | 'run.started'
  | 'context.ready'
  | 'route.switched'
  | 'reasoning.delta'
  | 'message.delta'
  | 'message.replaced'
  | 'tool.started'
  | 'tool.confirmation_required'
  | 'tool.completed'
  | 'citation'
  | 'usage'
  | 'message.completed'

/** An event before it has its place. */
export type NewRunEvent = Pick<RunEvent, 'kind' | 'data'>

/** Whether nothing comes after it. */
export function isTerminal({ kind }: Pick<RunEvent, 'kind'>): boolean {
  return (terminal as readonly string[]).includes(kind)
}

/** The name of an event in a stream, as clients give it back in Last-Event-ID. */
export function eventId(runId: string, seq: number): string {
  return `${runId}.${String(seq)}`
}

/** The place after which a client wants to go on; -1 for the beginning. */
export function placeAfter(runId: string, lastEventId: string | undefined): number {
  const [, id, seq] = /^(\w+)\.(\d{1,9})$/.exec(lastEventId ?? '') ?? []
  return id === runId ? Number(seq) : -1
}
