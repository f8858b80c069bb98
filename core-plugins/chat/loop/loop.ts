import type { PublishedAgent } from '../../agents/contract.ts'
import type { AiCall, AiGateway, AiSpent, NeutralMessage } from '../../ai/contract.ts'
import type { ChatCitation } from '../contract.ts'
import type { FinishReason, NewRunEvent, ToolCallRecord } from '../run-events.ts'
import { makeCalls, recordOf, refusedCall, type AskedCall, type CallContext } from './call-tools.ts'
import { callModel } from './model-step.ts'

/** So long a user may take to confirm a call. */
const confirmMs = 10 * 60_000
const nobodyToAsk = 'This call needs a confirmation, which nobody can give here.'
/** A tool whose arguments were wrong so often is not offered any more. */
const mostInvalid = 2

/** What a run tells as it goes. */
export interface LoopListener {
  say(kind: 'message.delta' | 'reasoning.delta', text: string): void
  emit(event: NewRunEvent): void
}

/** What a run has come to so far, readable at any moment. */
export interface Progress {
  content: string
  /** What the model has said since its last whole message. */
  open: string
  readonly said: NeutralMessage[]
  readonly toolCalls: ToolCallRecord[]
  readonly spent: AiSpent[]
  /** The sources that the whole answer names. */
  readonly citations: ChatCitation[]
}

/** Nothing yet. */
export function noProgress(): Progress {
  return { content: '', open: '', said: [], toolCalls: [], spent: [], citations: [] }
}

/** What a run goes on with. */
interface LoopParts {
  readonly agent: PublishedAgent
  readonly gateway: Pick<AiGateway, 'run'>
  readonly context: Omit<CallContext, 'emit'>
  /** Everything but the messages. */
  readonly call: Omit<AiCall, 'request'> & { readonly request: Omit<AiCall['request'], 'messages'> }
  readonly prompt: readonly NeutralMessage[]
  /** Whether there is somebody who could confirm a call. */
  readonly canAsk: boolean
}

/** Calls the model and its tools in turn until it has answered; what it says is told at once and kept in `progress`. */
export async function runLoop(
  { agent, gateway, context, call, prompt, canAsk }: LoopParts,
  progress: Progress,
  listener: LoopListener,
): Promise<FinishReason | 'awaiting_confirmation'> {
  const invalid = new Map<string, number>()
  const { max_steps: mostSteps, show_reasoning: shows } = agent.definition
  const say = (text: string): void => {
    progress.content += text
    progress.open += text
    listener.say('message.delta', text)
  }
  const think = (text: string): void => {
    if (shows) listener.say('reasoning.delta', text)
  }
  for (let count = 0; count < mostSteps; count++) {
    const tools = [...context.offered.values()].filter(({ name }) => (invalid.get(name) ?? 0) < mostInvalid)
    const request = {
      ...call.request,
      messages: [...prompt, ...progress.said],
      ...(tools.length > 0 && { tools: tools.map(({ forModel }) => forModel) }),
    }
    const heard = {
      ...{ text: say, reasoning: think, emit: (event: NewRunEvent) => listener.emit(event) },
      spent: (spent: AiSpent) => void progress.spent.push(spent),
    }
    const step = await callModel(gateway, { ...call, request, ...(count > 0 && { admitted: undefined }) }, heard)
    progress.said.push(step.message)
    progress.open = ''
    if (step.calls.length === 0) return finishOf(step.finish)
    const asking = step.calls.filter(({ name }) => context.offered.get(name)?.asks === true)
    const waiting = canAsk ? asking : []
    const free = step.calls.filter((each) => !asking.includes(each))
    if (!canAsk) {
      for (const each of asking) {
        const { record, result } = refusedCall(recordOf(each, context.offered.get(each.name)), nobodyToAsk)
        progress.said.push(result)
        progress.toolCalls.push(record)
      }
    }
    for (const made of await makeCalls(free, { ...context, emit: (event) => listener.emit(event) })) {
      progress.said.push(made.result)
      progress.toolCalls.push(made.record)
      const name = free.find(({ id }) => id === made.record.id)?.name ?? ''
      if (made.isInvalid) invalid.set(name, (invalid.get(name) ?? 0) + 1)
    }
    if (waiting.length > 0) {
      for (const each of waiting) askFor(each, context, progress, listener)
      return 'awaiting_confirmation'
    }
    if (step.text !== '') {
      progress.content += '\n\n'
      listener.say('message.delta', '\n\n')
    }
  }
  return 'tool_limit'
}

function askFor(
  call: AskedCall,
  { offered }: Pick<CallContext, 'offered'>,
  progress: Progress,
  listener: LoopListener,
): void {
  const expiresAt = new Date(Date.now() + confirmMs).toISOString()
  const { id, ...shown } = recordOf(call, offered.get(call.name))
  progress.toolCalls.push({ id, ...shown, status: 'awaiting_confirmation', duration_ms: 0, expires_at: expiresAt })
  listener.emit({ kind: 'tool.confirmation_required', data: { call_id: id, ...shown, expires_at: expiresAt } })
}

function finishOf(reason: string): FinishReason {
  switch (reason) {
    case 'length':
    case 'quota':
      return reason
    case 'content_filter':
    case 'refusal':
      return 'content_filter'
    default:
      return 'stop'
  }
}
