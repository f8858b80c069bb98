import type { Json } from '../capabilities/json.ts'
import { PluginResponseInvalidError } from '../errors.ts'
import { isTooDeep } from '../json-depth.ts'
import { sandboxLimits } from '../limits.ts'

const mostText = 200
const mostDelayMs = 60 * 60 * 1_000

/** What a step of a job came to: its result, or what the next step begins with. */
export type StepEnd =
  | { readonly kind: 'done'; readonly result: Json }
  | {
      readonly kind: 'next'
      readonly state: Json
      readonly progress: number | null
      readonly text: string | null
      readonly delayMs: number
    }

/** Reads what the function of a job returned, which is JSON text; throws 502/5029 for what goes beyond its bounds. */
export function readStepEnd(text: string): StepEnd {
  if (isTooDeep(text)) throw invalid('What a step returns is nested too deeply')
  if (text.length > sandboxLimits.jobBytes.max)
    throw invalid(`What a step returns has at most ${sandboxLimits.jobBytes.max} bytes`)
  const value = JSON.parse(text) as Json
  if (typeof value !== 'object' || value === null || !('next' in value)) return { kind: 'done', result: value }
  const { next = null, progress, text: said, delay } = value
  return {
    kind: 'next',
    state: next,
    progress: typeof progress === 'number' && progress >= 0 && progress <= 100 ? progress : null,
    text: typeof said === 'string' ? said.slice(0, mostText).toWellFormed().replaceAll('\0', '') : null,
    delayMs: typeof delay === 'number' && delay > 0 ? Math.min(delay, mostDelayMs) : 0,
  }
}

function invalid(why: string): Error {
  return new PluginResponseInvalidError({ cause: why })
}
