import { randomUUID } from 'node:crypto'
import type { AiLedger, AttemptRow, Hold } from '../../ai-ledger/contract.ts'
import { answerEvents } from '../wire/answer.ts'
import type { NeutralAnswer } from '../wire/neutral.ts'
import type { RelayRun, RelaySink } from './call.ts'
import type { CallListener } from './call-record.ts'
import { endedRecord } from './ended-record.ts'
import type { Plan, PlannedCall } from './plan.ts'
import { runHeaders } from './run-headers.ts'

const nothing = {
  ...{ inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 },
}

/** Answers with what was answered before: a request of the quotas, no tokens and no money. Undefined where the quotas let none in. */
export async function runCached(
  answer: NeutralAnswer,
  plan: Plan,
  call: PlannedCall,
  { ledger, ended }: { readonly ledger: Pick<AiLedger, 'reserve'>; readonly ended: CallListener },
): Promise<RelayRun | undefined> {
  const { model } = plan
  const { spender, purpose, request, guard, settled } = call
  const at = new Date()
  const reserved = await ledger.reserve({
    ...{ requestId: randomUUID(), spender, purpose, ttlMs: 60_000, inputCostNano: 0n },
    models: [{ modelId: model.id, providerId: model.providerId, priced: true, model: model.name }],
    worst: { requests: 1, inputTokens: 0, outputTokens: 0, costNano: 0n },
  })
  if (!('hold' in reserved)) return undefined
  const { hold } = reserved
  const rows = [{ ...rowOf(plan, request.stream), ...(guard && { sandboxMs: Math.ceil(guard.cpuMs) }) }]
  hold.end(rows)
  call.heard?.push(answerEvents(answer))
  const { requestId } = hold
  const durationMs = Date.now() - at.getTime()
  ended(endedRecord(call, plan, { requestId, at, outcome: 'ok', rows, attempts: [], durationMs, ttftMs: undefined }))
  const result = {
    usage: nothing,
    costNano: 0n,
    source: 'provider' as const,
    attempts: 0,
    model: model.name,
    provider: '',
  }
  settled?.(result)
  const about = aboutOf(plan, hold)
  if (!request.stream) return { about, answer, stream: undefined, result }
  const flow = (sink: RelaySink): void => {
    sink.events(answerEvents(answer))
    sink.end()
  }
  return { about, answer: undefined, stream: { flow, resume: () => undefined }, result }
}

function aboutOf({ model, route }: Plan, hold: Hold): RelayRun['about'] {
  const about = {
    ...{ requestId: hold.requestId, model: model.name, provider: 'cache', attempts: 0, route: route?.name },
    ...{ dropped: [], isCached: true },
  }
  return { ...about, headers: runHeaders(about, hold) }
}

function rowOf({ model }: Plan, stream: boolean): AttemptRow {
  return {
    ...{ id: randomUUID(), attempt: 1, at: new Date(), modelId: model.id, model: model.name },
    ...{ modelVersion: model.version, providerId: model.providerId, usage: nothing, stream, cached: true },
    ...{ costNano: 0n, listCostNano: 0n, possibleCostNano: 0n, source: 'provider', outcome: 'ok', durationMs: 0 },
  }
}
