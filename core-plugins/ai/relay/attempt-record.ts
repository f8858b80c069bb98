import type { NeutralAnswer } from '../wire/neutral.ts'
import type { AttemptRecord } from './call-record.ts'
import type { AttemptFault } from './fault.ts'
import type { AttemptEnding } from './settlement.ts'
import type { Step } from './target-walk.ts'

/** What is known of an attempt at its end. */
export interface Known {
  readonly reported?: NeutralAnswer['usage']
  readonly counted: number
  readonly ttftMs?: number | undefined
}

/** An attempt as the log has it. */
export function recordOf(
  { leg, because }: Step,
  ending: AttemptEnding | undefined,
  { ttftMs }: Known,
  ms: number,
  fault: AttemptFault | undefined,
): AttemptRecord {
  const aborted = ending?.startsWith('aborted') === true
  return {
    ...{
      target: leg.id,
      key: leg.key,
      providerId: leg.providerId,
      modelId: leg.model.id,
      model: leg.model.name,
      modelVersion: leg.model.version,
      because,
    },
    ...{ status: fault ? fault.status : aborted ? 0 : 200, class: fault?.class ?? (aborted ? 'client_abort' : 'ok') },
    ...{ ms: Math.round(ms), ttftMs: ttftMs && Math.round(ttftMs), detail: fault?.message },
  }
}

/** An attempt as the client is told of it: what was said by whom stays here. */
export function presentAttempt({ target, status, class: kind, ms }: AttemptRecord): object {
  return { target, class: kind, status, ms }
}
