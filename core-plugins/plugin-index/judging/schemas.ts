import { objectOf, orNull } from '#kernel/schemas'

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const

/** What is said against a release that is installed. */
export const revocationBody = objectOf({
  version: text,
  source: text,
  action: text,
  asked: maybe,
  severity: text,
  reason: text,
  cve: maybe,
  kid: maybe,
  found_at: text,
  overridden: orNull(objectOf({ by: { type: ['integer', 'null'] }, at: text })),
})
