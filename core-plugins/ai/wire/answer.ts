import type {
  FinishReason,
  NeutralAnswer,
  NeutralEvent,
  NeutralPart,
  NeutralReasoning,
  NeutralReasoningEvent,
  NeutralToolCall,
  NeutralToolCallEvent,
  NeutralUsage,
} from './neutral.ts'

/** A whole answer as the steps of a stream. */
export function answerEvents(answer: NeutralAnswer): readonly NeutralEvent[] {
  const { id, model, parts, finish, stopSequence, usage, frame } = answer
  let index = 0
  return [
    ...(frame ? [{ type: 'frame' as const, ...frame }] : []),
    { type: 'start', id, model },
    ...parts.flatMap((part) => stepsOf(part, () => index++, answer.logprobs)),
    ...(usage ? [{ type: 'usage' as const, usage }] : []),
    { type: 'finish', reason: finish, ...(stopSequence !== undefined && { stopSequence }) },
  ]
}

function stepsOf(part: NeutralPart, nextIndex: () => number, logprobs: unknown): readonly NeutralEvent[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text, ...(logprobs !== undefined && { logprobs }) }]
    case 'refusal':
      return [part]
    case 'reasoning':
      return [{ ...part, done: true }]
    case 'tool_call': {
      const { id, name, signature } = part
      const index = nextIndex()
      return [
        {
          type: 'tool_call',
          index,
          id,
          name,
          arguments: part.arguments,
          ...(signature !== undefined && { signature }),
        },
      ]
    }
    default:
      return []
  }
}

interface Growing<T> {
  part: T
}

/** Puts the steps of a stream together. */
export class AnswerCollector {
  #id = ''
  #model = ''
  #finish: FinishReason | undefined
  #stopSequence: string | undefined
  #usage: NeutralUsage | undefined
  #frame: NeutralAnswer['frame']
  #logprobs: unknown
  #last: Growing<NeutralPart> | undefined
  readonly #parts: Growing<NeutralPart>[] = []
  readonly #calls = new Map<number, Growing<NeutralToolCall>>()

  push(event: NeutralEvent): void {
    switch (event.type) {
      case 'start':
        this.#id = event.id
        this.#model = event.model
        return
      case 'text':
        this.#logprobs = joinLogprobs(this.#logprobs, event.logprobs)
        return this.#grow('text', event.text)
      case 'refusal':
        return this.#grow('refusal', event.text)
      case 'reasoning':
        return this.#think(event)
      case 'tool_call':
        return this.#call(event)
      case 'usage':
        this.#usage = event.usage
        return
      case 'finish':
        this.#finish = event.reason
        this.#stopSequence = event.stopSequence
        return
      case 'frame':
        this.#frame = { wire: event.wire, data: event.data }
    }
  }

  /** The answer so far; one that has not finished is one that was cut at its length. */
  get answer(): NeutralAnswer {
    return {
      ...{ id: this.#id, model: this.#model, parts: this.#parts.map(({ part }) => part), usage: this.#usage },
      finish: this.#finish ?? 'length',
      ...(this.#stopSequence !== undefined && { stopSequence: this.#stopSequence }),
      ...(this.#logprobs !== undefined && { logprobs: this.#logprobs }),
      ...(this.#frame && { frame: this.#frame }),
    }
  }

  #add<T extends NeutralPart>(part: T): Growing<T> {
    const growing = { part }
    this.#parts.push(growing)
    this.#last = growing
    return growing
  }

  #grow(type: 'text' | 'refusal', text: string): void {
    const last = this.#last
    if (last?.part.type === type) last.part = { ...last.part, text: last.part.text + text }
    else if (text !== '') this.#add({ type, text })
  }

  #think({ done, ...step }: NeutralReasoningEvent): void {
    const last = this.#last
    if (last?.part.type === 'reasoning' && (step.id === undefined || step.id === last.part.id)) {
      last.part = joinThought(last.part, step)
    } else this.#add(step)
    if (done) this.#last = undefined
  }

  #call({ index, id, name, arguments: text = '', signature }: NeutralToolCallEvent): void {
    const known = this.#calls.get(index)
    const sealed = signature === undefined ? {} : { signature }
    if (known) known.part = { ...known.part, arguments: known.part.arguments + text, ...sealed }
    else {
      const part = { type: 'tool_call' as const, id: id ?? '', name: name ?? '', arguments: text, ...sealed }
      this.#calls.set(index, this.#add<NeutralToolCall>(part))
    }
  }
}

function joinThought(thought: NeutralReasoning, step: NeutralReasoning): NeutralReasoning {
  const text = step.text === undefined ? thought.text : (thought.text ?? '') + step.text
  return { ...thought, ...step, ...(text !== undefined && { text }) }
}

/** The chat completions form of log probabilities: lists that grow. */
function joinLogprobs(known: unknown, more: unknown): unknown {
  const [a, b] = [known, more] as [Record<string, unknown> | undefined, Record<string, unknown> | undefined]
  if (!a || !b) return b ?? a
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  const join = (name: string): unknown =>
    Array.isArray(a[name]) && Array.isArray(b[name])
      ? [...(a[name] as unknown[]), ...(b[name] as unknown[])]
      : (b[name] ?? a[name])
  return Object.fromEntries([...names].map((name) => [name, join(name)]))
}
