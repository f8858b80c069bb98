import type { JsonObject } from '../../json.ts'
import type { NeutralEvent, NeutralPart } from '../../neutral.ts'
import { UpstreamFaultError, type StreamReader, type WireEvent } from '../../vendor.ts'
import { parseSaid, wordOf } from '../said.ts'
import { candidateOf, isBlocked } from './answer.ts'
import { faultOfError } from './fault.ts'
import { isTextSeal, readGeminiFinish, readGeminiUsage, readParts } from './parts.ts'

const thoughtEnds: NeutralEvent = { type: 'reasoning', vendor: 'gemini', done: true }

/** Reads a stream of `generateContent` answers, each with what is new; calls come whole. */
export class GeminiReader implements StreamReader {
  #hasStarted = false
  #hasFinished = false
  #isThinking = false
  #calls = 0

  push({ data }: WireEvent): readonly NeutralEvent[] {
    const answer = parseSaid(data)
    if (answer['error']) throw new UpstreamFaultError(faultOfError(0, answer['error']))
    const events: NeutralEvent[] = []
    if (!this.#hasStarted)
      events.push({ type: 'start', id: wordOf(answer['responseId']), model: wordOf(answer['modelVersion']) })
    this.#hasStarted = true
    const candidate = candidateOf(answer)
    for (const part of candidate ? readParts(candidate) : []) events.push(...this.#stepsOf(part))
    const reason = candidate ? wordOf(candidate['finishReason']) : isBlocked(answer) ? 'SAFETY' : ''
    if (reason !== '') events.push(...this.#finish(reason, answer))
    return events
  }

  /** What ends without a `finishReason` was cut off. */
  end(): 'complete' | 'truncated' {
    return this.#hasFinished ? 'complete' : 'truncated'
  }

  #stepsOf(part: NeutralPart): readonly NeutralEvent[] {
    if (isTextSeal(part)) return [...this.#endThought(), part as NeutralEvent, thoughtEnds]
    if (part.type === 'reasoning') {
      this.#isThinking = true
      return [part]
    }
    const before = this.#endThought()
    if (part.type === 'text') return [...before, part]
    if (part.type !== 'tool_call') return before
    return [...before, { ...part, index: this.#calls++ }]
  }

  #endThought(): readonly NeutralEvent[] {
    if (!this.#isThinking) return []
    this.#isThinking = false
    return [thoughtEnds]
  }

  #finish(reason: string, { usageMetadata }: JsonObject): readonly NeutralEvent[] {
    this.#hasFinished = true
    const usage = readGeminiUsage(usageMetadata)
    return [
      ...this.#endThought(),
      ...(usage ? [{ type: 'usage' as const, usage }] : []),
      { type: 'finish', reason: readGeminiFinish(reason, this.#calls > 0) },
    ]
  }
}
