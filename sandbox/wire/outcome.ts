import { isTooDeep } from '../json-depth.ts'
import type { CallLimits, Failure, GuestError, Outcome } from './call.ts'

/** What V8 throws where it finds no room for a buffer. */
const outOfMemory = /out of memory|array buffer allocation failed/i

/** How a call ended, as the sandbox host reports it; the supervisor puts the cost and the clock to it. */
export type Ending = { readonly ok: true; readonly value: string } | Failure

const limitHeadroom = 3
const maxFrames = 2_000
/** Why a call ended that nobody waited for any more, and that its handler never saw. */
const nobodyWaits = 'forsaken'
/** What becomes of such a call. */
export const forsaken = { ok: false, kind: 'killed', cause: nobodyWaits } as const satisfies Failure

/** What becomes of a call that waited for room all its time, which is for the supervisor to make. */
export const noRoom = { ok: false, kind: 'timeout', fault: 'host' } as const satisfies Failure

/** What becomes of a call that was inside an isolate when another ended it. */
export const isolateLost = { ok: false, kind: 'killed', cause: 'memory' } as const satisfies Failure

/** What runs into these leaves its context in a state that nobody knows. */
const tainting: ReadonlySet<Failure['kind']> = new Set(['limit', 'timeout', 'killed'])

/** Whether the context of a call that ended so is not to be used again. */
export function taints(ending: Ending): boolean {
  return !ending.ok && tainting.has(ending.kind) && !isForsaken(ending)
}

/** Whether a failure is that of a call which nobody waited for. */
export function isForsaken(failure: Failure): boolean {
  return failure.kind === 'killed' && failure.cause === nobodyWaits
}

/** The fields of a `done` frame: what the call spent, and the value or the failure. */
export function writeDone(ending: Ending, cpuMs: number, hostCalls: number): readonly string[] {
  const cost = [String(cpuMs), String(hostCalls)] as const
  return ending.ok ? [...cost, ending.value] : [...cost, '', JSON.stringify(ending)]
}

/** What the fields of a `done` frame say; the figures of a host that was taken over are not trusted to be any. */
export function readDone([cpu, calls, value = '', failure]: readonly string[], wallMs: number): Outcome {
  const cost = { cpuMs: toFigure(cpu), wallMs, hostCalls: toFigure(calls) }
  if (failure === undefined) return { ok: true, value, ...cost }
  return { ...(JSON.parse(failure) as Failure), ...cost }
}

function toFigure(text: string | undefined): number {
  const figure = Number(text)
  return figure >= 0 && Number.isFinite(figure) ? figure : 0
}

/** Reads the last message of a call from the guest; what it says is not trusted to be of any shape. */
export function toEnding(kind: string, value: string, limits: CallLimits, frames = ''): Ending | undefined {
  if (kind === 'done') {
    const isTooLong =
      value.length * limitHeadroom > limits.responseBytes && Buffer.byteLength(value) > limits.responseBytes
    return isTooLong ? { ok: false, kind: 'limit', limit: 'response_bytes' } : { ok: true, value }
  }
  if (kind === 'threw') return { ok: false, kind: 'threw', error: toGuestError(value) }
  if (kind === 'invalid') return { ok: false, kind: 'invalid', message: value }
  if (kind === 'missing') return { ok: false, kind: 'load', message: value }
  if (kind === 'limit' && value === 'host_calls') {
    const place = frames === '' ? {} : { stack: frames.slice(0, maxFrames) }
    return { ok: false, kind: 'limit', limit: 'host_calls', ...place }
  }
  if (kind === 'limit') return { ok: false, kind: 'limit', limit: 'response_bytes' }
  return undefined
}

function toGuestError(json: string): GuestError {
  const flat = parseObject(json)
  const texts = Object.fromEntries(
    (['code', 'reason', 'stack'] as const).flatMap((key) => (typeof flat[key] === 'string' ? [[key, flat[key]]] : [])),
  )
  const details = typeof flat['details'] === 'string' ? parseJson(flat['details']) : undefined
  return {
    name: typeof flat['name'] === 'string' ? flat['name'] : 'Error',
    message: typeof flat['message'] === 'string' ? flat['message'] : '',
    ...texts,
    ...(typeof flat['status'] === 'number' ? { status: flat['status'] } : {}),
    ...(details === undefined ? {} : { details }),
  }
}

/** The value of a JSON text, or nothing when it is none, or one that could not be written again. */
export function parseJson(json: string): unknown {
  if (isTooDeep(json)) return undefined
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}

function parseObject(json: string): Readonly<Record<string, unknown>> {
  const value = parseJson(json)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** A buffer was refused: what fills the memory stays in the isolate. */
export function isOutOfMemory(ending: Ending): boolean {
  return !ending.ok && ending.kind === 'threw' && outOfMemory.test(ending.error.message)
}
