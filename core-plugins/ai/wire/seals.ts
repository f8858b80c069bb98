import { isObject } from './json.ts'
import type { NeutralMessage, NeutralPart } from './neutral.ts'

/** What a client keeps for a vendor and gives back untouched, in the one place where its dialect keeps such things. */
export interface Seal {
  readonly vendor: string
  readonly text?: string
  readonly signature?: string
  readonly encrypted?: string
  /** Of the thought, with the vendor that made it. */
  readonly id?: string
  /** The call that the signature belongs to. */
  readonly callId?: string
}

const prefix = 'stoa1.'

/** A seal as text of letters, digits, `.`, `-` and `_`. */
export function writeSeal({ vendor: v, text: t, signature: s, encrypted: e, id: i, callId: c }: Seal): string {
  return prefix + Buffer.from(JSON.stringify({ v, t, s, e, i, c })).toString('base64url')
}

/** A seal of ours; undefined for what somebody else sealed. */
export function readSeal(sealed: string): Seal | undefined {
  if (!sealed.startsWith(prefix)) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(sealed.slice(prefix.length), 'base64url').toString('utf8'))
    if (!isObject(value) || typeof value['v'] !== 'string') return undefined
    const word = (name: string, key: string): object => (typeof value[key] === 'string' ? { [name]: value[key] } : {})
    const words = { ...word('text', 't'), ...word('signature', 's'), ...word('encrypted', 'e') }
    return { vendor: value['v'], ...words, ...word('id', 'i'), ...word('callId', 'c') }
  } catch {
    return undefined
  }
}

/** Gives the calls of a message the signatures that came beside them. */
export function signCalls(parts: readonly NeutralPart[], seals: readonly Seal[]): readonly NeutralPart[] {
  if (seals.length === 0) return parts
  return parts.map((part) => {
    const seal = part.type === 'tool_call' ? seals.find(({ callId }) => callId === part.id) : undefined
    return part.type === 'tool_call' && seal?.signature !== undefined ? { ...part, signature: seal.signature } : part
  })
}

/** Whether messages hold thoughts of another vendor, or signatures that its wire has no place for. */
export function hasForeignThoughts(messages: readonly NeutralMessage[], vendor: string): boolean {
  return messages.some(({ parts }) =>
    parts.some(
      (part) =>
        (part.type === 'reasoning' && part.vendor !== vendor) ||
        (part.type === 'tool_call' && part.signature !== undefined),
    ),
  )
}
