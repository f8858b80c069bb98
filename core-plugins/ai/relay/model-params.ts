import type { NeutralRequest } from '../wire/neutral.ts'
import type { CalledModel } from './ports.ts'

/** Names of parameters as models' settings have them, by their neutral ones. */
const names: Readonly<Record<string, keyof NeutralRequest>> = {
  ...({ temperature: 'temperature', top_p: 'topP', top_k: 'topK', stop: 'stop', seed: 'seed' } as const),
  ...({ presence_penalty: 'presencePenalty', frequency_penalty: 'frequencyPenalty', logprobs: 'logprobs' } as const),
  ...({ top_logprobs: 'topLogprobs', reasoning: 'reasoning', reasoning_effort: 'reasoning', user: 'user' } as const),
  ...({ metadata: 'metadata', parallel_tool_calls: 'parallelToolCalls', response_format: 'format' } as const),
}

/** A request as a model takes it: defaults filled in, figures within its bounds, what it is not told left out and named. */
export function fitRequest(
  request: NeutralRequest,
  { params, dropParams }: CalledModel,
): { readonly request: NeutralRequest; readonly dropped: readonly string[] } {
  if (dropParams.length === 0 && Object.keys(params).length === 0) return { request, dropped: [] }
  const fit: Record<string, unknown> = { ...request, extra: { ...request.extra } }
  const extra = fit['extra'] as Record<string, unknown>
  for (const [param, { default: usual, min = -Infinity, max = Infinity }] of Object.entries(params)) {
    const [holder, name] = placeOf(param, fit, extra)
    const value = holder[name] ?? usual
    if (value !== undefined) holder[name] = typeof value === 'number' ? Math.min(max, Math.max(min, value)) : value
  }
  const dropped = dropParams.filter((param) => {
    const [holder, name] = placeOf(param, fit, extra)
    const wasThere = holder[name] !== undefined
    delete holder[name]
    return wasThere
  })
  return { request: fit as unknown as NeutralRequest, dropped }
}

function placeOf(
  param: string,
  fit: Record<string, unknown>,
  extra: Record<string, unknown>,
): readonly [holder: Record<string, unknown>, name: string] {
  const name = names[param]
  return name === undefined ? [extra, param] : [fit, name]
}
