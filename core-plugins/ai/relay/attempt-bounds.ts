import type { Target } from '../routing/target.ts'
import type { Leg } from './plan.ts'
import type { GatewaySettings, Timeouts } from './ports.ts'

/** How much of what is left a target may write. */
export function outputOf({ model, maxOutputTokens }: Leg, left: number): number {
  const most = Math.min(model.maxOutputTokens ?? Infinity, maxOutputTokens ?? Infinity)
  return Math.max(1, Math.min(left, most))
}

/** Why a target is not begun with any more, so long after the call; undefined while it is. */
export function lateness({ totalMs }: Target, { timeouts }: GatewaySettings, spentMs: number): string | undefined {
  return spentMs >= (totalMs ?? timeouts.totalMs) ? 'the time for the whole call is over' : undefined
}

/** The waits of an attempt that begins so many milliseconds after its call: what is left of that bounds each. */
export function timeoutsOf({ provider }: Leg, gateway: GatewaySettings, spentMs: number): Timeouts {
  const all = { ...gateway.timeouts, ...provider.timeouts }
  return { ...all, totalMs: Math.max(1, all.totalMs - spentMs) }
}
