import { AppError } from '#kernel'
import { describeFinding } from '../keeper/index-finding.ts'
import { IndexRefusal, type RefusalRule } from '../keeper/index-refusal.ts'

/** What a push is answered with. */
export interface PushAnswer {
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

const statuses: Readonly<Record<RefusalRule, number>> = {
  release_unknown: 404,
  yanked_already: 409,
  version_seen: 409,
  revoked_already: 409,
}

/** An answer that says no. */
export function refusal(
  status: number,
  reason: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  findings: readonly string[] = [],
): PushAnswer {
  return { status, headers, body: { reason, message, ...(findings.length > 0 && { findings }) } }
}

/** What is said to what an index does not take. */
export function presentRefusal(error: unknown): PushAnswer {
  if (error instanceof IndexRefusal) {
    const { message, findings, rule } = error
    const listed = findings.map(describeFinding)
    if (rule) return refusal(statuses[rule], rule, message, {}, listed)
    const rules = new Set(findings.map((finding) => finding.rule))
    if (rules.has('version_taken')) return refusal(409, 'version_taken', message, {}, listed)
    if (rules.has('publisher_other')) return refusal(403, 'publisher_other', message, {}, listed)
    return refusal(422, 'refused', message, {}, listed)
  }
  if (error instanceof AppError) return refusal(400, error.reason, error.message)
  return refusal(500, 'failed', 'The index could not be written: its keeper has to look.')
}

/** The answer to a body that is longer than it may be. */
export function tooLarge(most: number): PushAnswer {
  return refusal(413, 'too_large', `That has at most ${most} bytes.`, { connection: 'close' })
}
