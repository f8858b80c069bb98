import type { GuardrailVerdict } from '../../capabilities/gateway-words.ts'
import { fieldsOf, invalidAnswer } from './fields-of.ts'

/** A place in one of several texts. */
interface IndexedRange {
  readonly index: number
  readonly start: number
  readonly end: number
}

/** What a guardrail said, with ranges in order that do not overlap. */
export type CheckedVerdict = GuardrailVerdict<IndexedRange>

const reasonForm = /^[a-z][a-z0-9_]{0,63}$/
const maxRanges = 10_000

/** What a guardrail says of these texts; throws 502/5029 for anything else. Of one text a range needs no index. */
export function checkVerdict(answer: unknown, texts: readonly string[]): CheckedVerdict {
  const { verdict, reason, ranges } = fieldsOf(answer)
  if (verdict === 'allow') return { verdict }
  if (verdict === 'block') return { verdict, reason: checkReason(reason) }
  if (verdict !== 'mask') throw invalidAnswer('verdict is allow, block or mask')
  const why = reason === undefined ? {} : { reason: checkReason(reason) }
  return { verdict, ...why, ranges: checkRanges(ranges, texts) }
}

function checkReason(reason: unknown): string {
  if (typeof reason === 'string' && reasonForm.test(reason)) return reason
  throw invalidAnswer('reason is a word of small letters')
}

function checkRanges(ranges: unknown, texts: readonly string[]): readonly IndexedRange[] {
  if (!Array.isArray(ranges) || ranges.length > maxRanges)
    throw invalidAnswer(`ranges is a list of at most ${maxRanges}`)
  const checked = ranges.map((range: unknown) => {
    const { index = 0, start, end } = fieldsOf(range)
    const text = typeof index === 'number' ? texts[index] : undefined
    const isWithin = isPlace(start) && isPlace(end) && start < end && end <= (text?.length ?? 0)
    if (!isWithin) throw invalidAnswer('a range is a place within its text')
    return { index: index as number, start, end }
  })
  return joined(checked.sort((a, b) => a.index - b.index || a.start - b.start))
}

function joined(sorted: readonly IndexedRange[]): readonly IndexedRange[] {
  const apart: IndexedRange[] = []
  for (const range of sorted) {
    const last = apart.at(-1)
    if (last?.index === range.index && range.start <= last.end) {
      apart[apart.length - 1] = { ...last, end: Math.max(last.end, range.end) }
    } else apart.push(range)
  }
  return apart
}

function isPlace(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
