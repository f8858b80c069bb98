import type { GuestCall } from './guest-call.ts'

/** Of the memory that a sandbox host may take: so much, added while one guest alone runs, was that one. */
const ownShare = 0.5
/** And whoever cannot have added that much has nothing to do with its end, where another can. */
const leastShare = 0.1

/** An entry that is inside while the memory is at its end. */
interface Growth {
  readonly call: GuestCall
  /** Bytes that were added while it ran, at least. */
  readonly leastBytes: number
  /** And at most: what was added since the last look before it began. */
  readonly mostBytes: number
}

/** The calls to which the end of a sandbox host is laid: those first that are the likeliest to have done it. */
export interface Suspects {
  readonly calls: readonly GuestCall[]
  /** It was measured of each of them, and not only possible. */
  readonly isSure: boolean
}

/** Whose doing it is that the memory is full: nobody is named where those who run cannot have done it, even together. */
export function whoFilled(running: readonly Growth[], memoryBytes: number): Suspects {
  // Beside others one that runs for long would be sure of what they took and hold.
  const isSure = running.length === 1 && running.every(({ leastBytes }) => leastBytes > memoryBytes * ownShare)
  const named = running.filter(({ mostBytes }) => mostBytes > memoryBytes * leastShare)
  const together = named.reduce((sum, { mostBytes }) => sum + mostBytes, 0)
  // What was there before is held by somebody who waits for an answer, or by nobody.
  if (together <= memoryBytes * ownShare) return { calls: [], isSure: false }
  const likeliestFirst = named.toSorted((one, other) => other.mostBytes - one.mostBytes)
  return { calls: likeliestFirst.map(({ call }) => call), isSure }
}
