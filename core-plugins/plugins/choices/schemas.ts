import { objectOf } from '#kernel/schemas'
import { consent, rightDetail, risk } from '../shared/consent-schemas.ts'
import { grant } from '../shared/plugin-schemas.ts'

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const
const flag = { type: 'boolean' } as const

const asked = objectOf({
  capability: text,
  risk,
  optional: flag,
  reason: { type: ['string', 'null'] },
  detail: rightDetail,
  granted: flag,
  withheld: flag,
  denied_by: { type: 'array', items: { type: 'integer' }, description: 'Tenants that refuse it' },
})

/** What a plugin asks for, what it was granted, and what it may do after what was taken back and refused. */
export const capabilities = objectOf(
  {
    requested: texts,
    asked: { type: 'array', items: asked },
    granted: { type: 'array', items: grant },
    effective: texts,
    withheld: texts,
  },
  { consent },
)
