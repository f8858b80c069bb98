import { AnswerCollector, answerEvents } from '../wire/answer.ts'
import type { NeutralAnswer, NeutralEmbeddingRequest, NeutralEvent, NeutralRequest } from '../wire/neutral.ts'
import { isClean, type Judge } from './judge.ts'
import { maskRanges } from './mask.ts'
import { tellRequest, textsOf } from './request-texts.ts'
import { Stage } from './stage.ts'
import { StreamGuard } from './stream-guard.ts'
import type { ActiveRule, Finding } from './types.ts'

/** The guardrails of one call. All throw 400/4002 for what is refused and 503/5034 where a guardrail failed that must not. */
export class CallGuard {
  readonly #rules: readonly ActiveRule[]
  readonly #judge: Judge

  constructor(rules: readonly ActiveRule[], judge: Judge) {
    this.#rules = rules
    this.#judge = judge
  }

  /** What was found so far. */
  get findings(): readonly Finding[] {
    return this.#judge.findings
  }

  /** What plugins took so far, in milliseconds of CPU. */
  get cpuMs(): number {
    return this.#judge.cpuMs
  }

  /** Whether requests are looked at, which comes before they are held for. */
  get seesRequests(): boolean {
    return this.#reading.length > 0
  }

  /** Whether answers are looked at: then nothing of a provider's passes by. */
  get seesAnswers(): boolean {
    return this.#answering.length > 0
  }

  /** What an answer may be kept by: another guardrail, or another release of it, would have judged otherwise. */
  get fingerprint(): readonly unknown[] {
    return this.#rules.map(({ name, mode, release, phases }) => [name, mode, release, [...phases]])
  }

  /** The request as it may go out. */
  async request(request: NeutralRequest): Promise<NeutralRequest> {
    const texts = textsOf(request)
    const allowed = await this.#texts(texts)
    if (allowed === texts) return request
    let at = 0
    return tellRequest(request, (text) => allowed[at++]?.text ?? text)
  }

  /** Texts that are to be embedded, as they may go out; tokens, which no guardrail can read, are refused. */
  async embedding(request: NeutralEmbeddingRequest): Promise<NeutralEmbeddingRequest> {
    if (request.input.some((text) => typeof text !== 'string'))
      for (const rule of this.#reading) this.#judge.refuse(rule, 'input', 'tokens')
    const texts = request.input.map((text) => ({ role: 'user', text: typeof text === 'string' ? text : '' }))
    const allowed = await this.#texts(texts)
    const input = request.input.map((text, at) => (typeof text === 'string' ? (allowed[at]?.text ?? text) : text))
    return allowed === texts ? request : { ...request, input }
  }

  /** The answer as it may be told. */
  async answer(answer: NeutralAnswer): Promise<NeutralAnswer> {
    const steps = answerEvents(answer).filter(({ type }) => type !== 'frame')
    let events: readonly NeutralEvent[] = steps
    for (const stage of this.#stages()) events = await stage.push(events, true)
    if (events.every((event, at) => event === steps[at])) return answer
    const collector = new AnswerCollector()
    for (const event of events) collector.push(event)
    return collector.answer
  }

  /** Stands between a stream and whoever hears it. */
  stream(listener: ConstructorParameters<typeof StreamGuard>[1]): StreamGuard {
    return new StreamGuard(this.#stages(), listener)
  }

  get #answering(): readonly ActiveRule[] {
    return this.#rules.filter(({ phases }) => phases.has('output') || phases.has('output_stream'))
  }

  get #reading(): readonly ActiveRule[] {
    return this.#rules.filter(({ phases }) => phases.has('input'))
  }

  #stages(): readonly Stage[] {
    return this.#answering.map((rule) => new Stage(rule, this.#judge))
  }

  async #texts<T extends { readonly role: string; readonly text: string }>(texts: readonly T[]): Promise<readonly T[]> {
    let allowed = texts
    for (const rule of this.#reading) {
      const ranges = await this.#judge.texts(rule, 'input', allowed)
      if (isClean(ranges)) continue
      allowed = allowed.map((each, at) => ({ ...each, text: maskRanges(each.text, ranges[at] ?? []) }))
    }
    return allowed
  }
}
