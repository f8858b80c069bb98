import { setTimeout as sleep } from 'node:timers/promises'
import { createSortableId } from '#kernel'
import type { AiCall, AiGateway, AiRun, AiSpent, FinishReason, NeutralMessage, NeutralPart } from '../../ai/contract.ts'
import type { NewRunEvent } from '../run-events.ts'
import type { AskedCall } from './call-tools.ts'

/** What hears of a step as it comes. */
interface StepListener {
  text(text: string): void
  reasoning(text: string): void
  emit(event: NewRunEvent): void
  /** What the step took, once, however it ends. */
  spent(spent: AiSpent): void
}

/** What one call of the model came to. */
interface Step {
  readonly text: string
  readonly message: NeutralMessage
  readonly calls: readonly AskedCall[]
  readonly finish: FinishReason
}

interface OpenCall {
  id: string
  name: string
  arguments: string
  signature?: string
}

/** A call that was broken off may be read on without a reader, which is settled after so long at the latest. */
const mostSettlingMs = 2_500

/** Calls the model once. Throws what the gateway throws, and the signal's reason once it is aborted. */
export async function callModel(gateway: Pick<AiGateway, 'run'>, call: AiCall, listener: StepListener): Promise<Step> {
  const settlement = new Settlement()
  const admitted = (): void => {
    settlement.isAwaited = true
    call.admitted?.()
  }
  const settled = (spent: AiSpent | undefined): void => settlement.end(spent)
  try {
    return await readStep(await gateway.run({ ...call, admitted, settled }), call, listener)
  } finally {
    const spent = await settlement.spent()
    if (spent) listener.spent(spent)
  }
}

/** What a call took, as soon as that is known. */
class Settlement {
  readonly #over = Promise.withResolvers<void>()
  #spent: AiSpent | undefined
  /** The call was let in, and is settled sooner or later. */
  isAwaited = false

  end(spent: AiSpent | undefined): void {
    this.#spent = spent
    this.isAwaited = false
    this.#over.resolve()
  }

  async spent(): Promise<AiSpent | undefined> {
    if (this.isAwaited) await Promise.race([this.#over.promise, sleep(mostSettlingMs, undefined, { ref: false })])
    return this.#spent
  }
}

async function readStep(run: AiRun, call: AiCall, listener: StepListener): Promise<Step> {
  const parts: NeutralPart[] = []
  const calls = new Map<number, OpenCall>()
  let text = ''
  let finish: FinishReason = 'stop'
  for await (const event of untilAborted(run, call.signal)) {
    switch (event.type) {
      case 'text':
      case 'refusal': {
        const said = clean(event.text)
        text += said
        listener.text(said)
        break
      }
      case 'reasoning': {
        addReasoning(parts, event)
        if (event.text !== undefined) listener.reasoning(clean(event.text))
        break
      }
      case 'tool_call': {
        const open = calls.get(event.index) ?? { id: '', name: '', arguments: '' }
        open.id ||= event.id ?? ''
        open.name ||= event.name ?? ''
        open.arguments += event.arguments ?? ''
        if (event.signature !== undefined) open.signature = event.signature
        calls.set(event.index, open)
        break
      }
      case 'switched': {
        const { type, ...how } = event
        if (type === 'switched') listener.emit({ kind: 'route.switched', data: how })
        break
      }
      case 'finish':
        finish = event.reason
        break
      default:
    }
  }
  const asked = withOwnIds([...calls.values()], call.request.messages)
  const message: NeutralMessage = {
    role: 'assistant',
    parts: [
      ...parts,
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...asked.map((each) => ({ type: 'tool_call' as const, ...each })),
    ],
  }
  return { text, message, calls: asked, finish }
}

/** Calls with ids that no other call of the conversation has: some vendors count them anew in each answer. */
function withOwnIds(calls: readonly OpenCall[], messages: readonly NeutralMessage[]): readonly OpenCall[] {
  const taken = new Set(
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []))),
  )
  return calls.map((call) => {
    const isOwn = call.id !== '' && !taken.has(call.id)
    const id = isOwn ? call.id : createSortableId('call')
    taken.add(id)
    return { ...call, id }
  })
}

type ReasoningEvent = Extract<AiRun['events'] extends AsyncIterable<infer E> ? E : never, { type: 'reasoning' }>
type Reasoning = Extract<NeutralPart, { type: 'reasoning' }>

/** Pieces of one thought are one part, with the vendor's seal at its end. */
function addReasoning(parts: NeutralPart[], { done, ...piece }: ReasoningEvent): void {
  const last = parts.at(-1)
  const open = last?.type === 'reasoning' && !ended.has(last) ? last : undefined
  const text = (open?.text ?? '') + clean(piece.text ?? '')
  const merged: Reasoning = { ...open, ...piece, ...(text !== '' && { text }) }
  if (open) parts.pop()
  parts.push(merged)
  if (done === true) ended.add(merged)
}

const ended = new WeakSet<Reasoning>()

/** The steps of an answer; an answer that nobody waits for any more may never end. */
async function* untilAborted(run: AiRun, signal: AbortSignal) {
  const events = run.events[Symbol.asyncIterator]()
  let abort: (() => void) | undefined
  const onAbort = (): void => abort?.()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    for (;;) {
      signal.throwIfAborted()
      const next = await new Promise<IteratorResult<AiRun['events'] extends AsyncIterable<infer E> ? E : never>>(
        (resolve, reject) => {
          abort = () => reject(signal.reason as Error)
          events.next().then(resolve, reject)
        },
      )
      if (next.done === true) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    void events.return?.()
  }
}

/** Text that any database and any client can hold. */
function clean(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}
