import type { CallLimits } from '../wire/call.ts'

/** The header of a `call` frame. */
interface CallHeader {
  readonly code: string
  readonly tenant: string
  readonly kind: string
  readonly name: string
  readonly limits: CallLimits
  /** The supervisor wants to hear when the call begins. */
  readonly mayWait: boolean
}

/** A header that was read, with the part of it that the glue is told, as the JSON text it goes in as. */
export interface ReadHeader extends CallHeader {
  readonly entry: string
}

const mostKept = 1_000

/** Gives back the function that reads headers. The calls of a tenant to a handler have the same one: it is parsed once. */
export function createHeaderReader(): (text: string) => ReadHeader {
  const known = new Map<string, ReadHeader>()
  return (text) => {
    const found = known.get(text)
    if (found) return found
    const header = JSON.parse(text) as CallHeader
    const { kind, name, limits } = header
    const { hostCalls, hostCallsInFlight, logLines, responseBytes } = limits
    const entry = JSON.stringify({ kind, name, hostCalls, hostCallsInFlight, logLines, responseBytes })
    const read = { ...header, entry }
    if (known.size >= mostKept) known.clear()
    known.set(text, read)
    return read
  }
}
