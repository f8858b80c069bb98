import type { ProviderState, TargetState } from './target-state.ts'
import type { Target, Wish } from './target.ts'

/** Whether a target takes a request now. */
export type Admission =
  | { readonly admits: true; readonly isProbe: boolean; readonly because: string }
  | {
      readonly admits: false
      readonly because: string
      /** What kind of reason it is: the request does not fit, the target is unwell, or it is full. */
      readonly kind: 'tried' | 'refused' | 'lacks' | 'context' | 'unwell' | 'full'
      /** When it may be asked again; undefined where time alone does not change it. */
      readonly until?: number
      /** What holds it back is a guess about its health, which one request may prove wrong. */
      readonly mayTryEarly?: boolean
    }

/** Says whether a target takes a request, and why. */
export function admissionOf(
  target: Target,
  wish: Wish,
  state: TargetState,
  provider: ProviderState,
  now: number,
): Admission {
  const unfit = unfitness(target, wish)
  if (unfit !== undefined) return { admits: false, ...unfit }
  for (const [breaker, name] of [
    [provider.breaker, "the provider's breaker"],
    [state.breaker, 'breaker'],
  ] as const) {
    if (breaker.admits !== 'no') continue
    const { kind, until, reason } = breaker.record
    const stands = breaker.state === 'half_open' ? 'half open, a probe is under way' : openWords[kind ?? 'failures']
    const mayTryEarly = breaker.admitsEarly
    return { admits: false, kind: 'unwell', because: `${name} ${stands}${reason && `: ${reason}`}`, until, mayTryEarly }
  }
  if (state.cooldown.until > now) {
    const { until, admitsEarly: mayTryEarly } = state.cooldown
    return { admits: false, kind: 'unwell', because: 'cooldown after 429', until, mayTryEarly }
  }
  const full = fullness(target, state, provider)
  if (full !== undefined) return { admits: false, kind: 'full', because: full }
  const wait = provider.wait(target.providerLimits ?? {}, wish.inputTokens + wish.maxOutputTokens)
  if (wait > 0) {
    return { admits: false, kind: 'full', because: "the provider's limit a minute is reached", until: now + wait }
  }
  const isProbe = state.breaker.admits === 'probe' || provider.breaker.admits === 'probe'
  return { admits: true, isProbe, because: isProbe ? 'half open: this request is the probe' : 'healthy' }
}

const openWords = { failures: 'open', tripped: 'tripped', drained: 'drained', auth_failed: 'open, credentials refused' }

type Unfit = Pick<Extract<Admission, { admits: false }>, 'kind' | 'because'>

/** Why a target cannot serve a request at all. */
function unfitness(target: Target, { tried, refuses, needs, inputTokens, maxOutputTokens }: Wish): Unfit | undefined {
  if (target.weight <= 0) return { kind: 'refused', because: 'weight 0' }
  if (tried?.has(target.id)) return { kind: 'tried', because: 'tried in this request' }
  const refused = refuses?.(target)
  if (refused !== undefined) return { kind: 'refused', because: refused }
  const obstacle = target.obstacle?.()
  if (obstacle !== undefined) return { kind: 'unwell', because: obstacle }
  const missing = needs?.find((need) => target.capabilities?.[need] === false)
  if (missing !== undefined) return { kind: 'lacks', because: `has no ${missing}` }
  const tokens = inputTokens + maxOutputTokens
  const { contextWindow } = target
  if (contextWindow === undefined || tokens <= contextWindow) return undefined
  return { kind: 'context', because: `${String(tokens)} tokens are more than its context of ${String(contextWindow)}` }
}

function fullness(target: Target, state: TargetState, provider: ProviderState): string | undefined {
  const { maxConcurrency, providerLimits } = target
  if (maxConcurrency !== undefined && state.inFlight >= maxConcurrency) {
    return `${String(state.inFlight)} of ${String(maxConcurrency)} in flight`
  }
  const most = providerLimits?.maxConcurrency
  if (most === undefined || provider.inFlight < most) return undefined
  return `its provider has ${String(provider.inFlight)} of ${String(most)} in flight`
}
