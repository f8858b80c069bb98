import { isTooDeep } from '../json-depth.ts'
import type { CallCost, CallLimits, Failure, GuestError } from '../supervisor/call.ts'

/** How a call ended, as the sandbox host reports it; the supervisor puts the cost and the clock to it. */
export type Ending = { readonly ok: true; readonly value: string } | Failure

/** The header of a `done` frame: everything but the value, which travels as it is. */
export type DoneHeader = Omit<CallCost, 'wallMs'> & ({ readonly ok: true } | Failure)

/** The header of a `call` frame. */
export interface CallHeader {
  readonly code: string
  readonly tenant: string
  readonly kind: string
  readonly name: string
  readonly limits: CallLimits
  /** The supervisor wants to hear when the call begins. */
  readonly mayWait: boolean
}

const LIMIT_HEADROOM = 3

/** Reads the last message of a call from the guest; what it says is not trusted to be of any shape. */
export function toEnding(kind: string, value: string, limits: CallLimits): Ending | undefined {
  if (kind === 'done') {
    const isTooLong =
      value.length * LIMIT_HEADROOM > limits.responseBytes && Buffer.byteLength(value) > limits.responseBytes
    return isTooLong ? { ok: false, kind: 'limit', limit: 'response_bytes' } : { ok: true, value }
  }
  if (kind === 'threw') return { ok: false, kind: 'threw', error: toGuestError(value) }
  if (kind === 'invalid') return { ok: false, kind: 'invalid', message: value }
  if (kind === 'missing') return { ok: false, kind: 'load', message: value }
  if (kind === 'limit' && value === 'host_calls') return { ok: false, kind: 'limit', limit: 'host_calls' }
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
