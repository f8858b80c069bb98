import type { AttemptRow } from '../../ai-ledger/contract.ts'
import type { NeutralEvent, NeutralRequest, NeutralUsage } from '../wire/neutral.ts'

/** What an answer came to before it broke off. */
export interface Said {
  readonly text: string
  /** About as many as it is, as they are counted here. */
  readonly tokens: number
}

/** What is said in a stream, as long as it is prose. */
export class Prose {
  #text = ''
  #isProse = true
  #hasStarted = false

  /** Empty once there is more than prose: that nobody can go on with. */
  get text(): string {
    return this.#isProse ? this.#text : ''
  }

  /** Takes note of steps; answers those to be told: a stream starts once, whoever goes on. */
  take(events: readonly NeutralEvent[]): readonly NeutralEvent[] {
    return events.filter((event) => {
      if (event.type === 'text') this.#text += event.text
      else if (event.type === 'tool_call' || event.type === 'refusal') this.#isProse = false
      const isAgain = event.type === 'start' && this.#hasStarted
      this.#hasStarted ||= event.type === 'start'
      return !isAgain
    })
  }
}

/** A request whose answer has begun already: what was said stands at its end, as the assistant's, without the space that vendors refuse there. */
export function goingOn(request: NeutralRequest, { text }: Said): NeutralRequest {
  const prefix = { role: 'assistant' as const, parts: [{ type: 'text' as const, text: text.trimEnd() }] }
  return { ...request, messages: [...request.messages, prefix] }
}

/** What attempts took that said something. */
export function sumOf(rows: readonly Pick<AttemptRow, 'usage' | 'outcome'>[]): NeutralUsage {
  const sum = { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 }
  for (const { usage, outcome } of rows) {
    if (outcome === 'upstream_error') continue
    for (const name of Object.keys(sum) as (keyof NeutralUsage)[]) sum[name] += usage[name]
  }
  return sum
}
