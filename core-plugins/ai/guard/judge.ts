import { AppError } from '#kernel'
import type { CheckedVerdict, GuardrailPhase, PluginGuardrails } from '../../plugin-offers/contract.ts'
import { cutTexts, type RoledText } from './cut-texts.ts'
import { ContentBlockedError, GuardrailFailedError } from './errors.ts'
import { joinRanges, type Range } from './mask.ts'
import type { ActiveRule, Finding } from './types.ts'

/** Whose call is judged. */
export interface JudgedCall {
  readonly tenantId: number
  readonly model: string
  readonly traceId: string
  readonly signal: AbortSignal
}

/** Asks the guardrails of one call, and keeps what they found. */
export class Judge {
  readonly #plugins: Pick<PluginGuardrails, 'judge'>
  readonly #call: JudgedCall
  /** Each once. */
  readonly findings: Finding[] = []
  /** What it took in the sandbox, in milliseconds of CPU. */
  cpuMs = 0

  constructor(plugins: Pick<PluginGuardrails, 'judge'>, call: JudgedCall) {
    this.#plugins = plugins
    this.#call = call
  }

  /** What is to be masked in each text; throws 400/4002 and 503/5034. */
  async texts(
    rule: ActiveRule,
    phase: GuardrailPhase,
    texts: readonly RoledText[],
  ): Promise<readonly (readonly Range[])[]> {
    const found: Range[][] = texts.map(() => [])
    for (const batch of cutTexts(texts)) {
      const shown = batch.map(({ role, text }) => ({ role, text }))
      const { verdict } = await this.#ask(rule, phase, shown, undefined)
      for (const { index, start, end } of this.#rangesOf(rule, phase, verdict)) {
        const piece = batch[index]
        if (piece) found[piece.of]?.push({ start: start + piece.offset, end: end + piece.offset })
      }
    }
    return found.map(joinRanges)
  }

  /** What is to be masked in a piece of a stream, and what the next one is told; throws 400/4002 and 503/5034. */
  async piece(rule: ActiveRule, text: string, final: boolean, state: unknown) {
    const phase = 'output_stream'
    const shown = [{ role: 'assistant', text }]
    const answer = await this.#ask(rule, phase, shown, { final, state })
    return { ranges: this.#rangesOf(rule, phase, answer.verdict), state: answer.state }
  }

  /** What a guardrail cannot be shown; throws 400/4002 but where it only notes. */
  refuse(rule: ActiveRule, phase: GuardrailPhase, reason: string): void {
    this.#rangesOf(rule, phase, { verdict: 'block', reason })
  }

  async #ask(
    rule: ActiveRule,
    phase: GuardrailPhase,
    texts: readonly RoledText[],
    stream: { readonly final: boolean; readonly state: unknown } | undefined,
  ): Promise<{ readonly verdict: CheckedVerdict; readonly state: unknown }> {
    const { name, plugin, code, timeoutMs, release } = rule
    try {
      if (release === undefined) throw new GuardrailFailedError({ guardrail: name })
      const question = { plugin, code, phase, texts, timeoutMs, ...(stream && { stream }) }
      const answer = await this.#plugins.judge({ ...question, ...this.#call })
      this.cpuMs += answer.cpuMs
      return answer
    } catch (error) {
      this.#call.signal.throwIfAborted()
      this.#note(rule, phase, 'failed', error instanceof AppError ? error.reason : 'internal')
      if (rule.onError === 'open') return { verdict: { verdict: 'allow' }, state: stream?.state ?? null }
      const headers = { 'retry-after': '5' }
      throw new GuardrailFailedError({ guardrail: name }, { details: { guardrail: name }, headers, cause: error })
    }
  }

  /** The places of a verdict under the rule's mode. */
  #rangesOf(rule: ActiveRule, phase: GuardrailPhase, verdict: CheckedVerdict) {
    if (verdict.verdict === 'allow' || (verdict.verdict === 'mask' && verdict.ranges.length === 0)) return []
    const { reason } = verdict
    if (rule.mode === 'flag') {
      this.#note(rule, phase, 'flagged', reason)
      return []
    }
    if (verdict.verdict === 'mask' && rule.mode === 'mask') {
      this.#note(rule, phase, 'masked', reason)
      return verdict.ranges
    }
    this.#note(rule, phase, 'blocked', reason)
    const detail = `the guardrail ${rule.name}${reason === undefined ? '' : ` (${reason})`}`
    throw new ContentBlockedError({ detail }, { details: { guardrail: rule.name, phase, reason: reason ?? null } })
  }

  #note({ name: guardrail }: ActiveRule, phase: GuardrailPhase, outcome: Finding['outcome'], reason?: string): void {
    const isKnown = this.findings.some((known) => {
      return (
        known.guardrail === guardrail && known.phase === phase && known.outcome === outcome && known.reason === reason
      )
    })
    if (!isKnown) this.findings.push({ guardrail, phase, outcome, reason })
  }
}

/** Nothing to be masked in any of them. */
export function isClean(ranges: readonly (readonly Range[])[]): boolean {
  return ranges.every(({ length }) => length === 0)
}
