import type { AttemptRow } from '../../ai-ledger/contract.ts'
import type { RunResult } from './call.ts'
import type { CallRecord } from './call-record.ts'
import { sumOf } from './going-on.ts'
import type { Plan, PlannedCall } from './plan.ts'

type Ended = Pick<
  CallRecord,
  'requestId' | 'at' | 'outcome' | 'rows' | 'attempts' | 'fallback' | 'durationMs' | 'ttftMs'
>

/** A call that targets were asked for, as it is over. */
export function endedRecord(call: PlannedCall, { route }: Pick<Plan, 'route'>, ended: Ended): CallRecord {
  const { spender, purpose, traceId, request, guard, heard } = call
  return {
    ...ended,
    ...{ traceId, spender, purpose, model: request.model, stream: request.stream },
    ...{ routeId: route?.id, route: route?.name, findings: guard?.findings ?? [] },
    said: heard && { request, heard: heard.words },
  }
}

/** What a call came to by its rows of the ledger; undefined where nothing reached a provider. */
export function resultOf(
  rows: readonly AttemptRow[],
  about: Pick<RunResult, 'attempts' | 'provider'>,
  isGoneOn: boolean,
): RunResult | undefined {
  const last = rows.at(-1)
  if (!last) return undefined
  const costNano = rows.reduce((sum, row) => sum + row.costNano, 0n)
  const { source, model } = last
  return { ...about, usage: isGoneOn ? sumOf(rows) : last.usage, costNano, source, model }
}
