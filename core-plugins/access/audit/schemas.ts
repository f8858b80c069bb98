import { cursorOf, objectOf, orNull } from '#kernel/schemas'

const maybe = { type: ['string', 'null'] } as const

const actor = orNull(
  objectOf({
    scope: { enum: ['platform', 'tenant'] },
    tenant_id: { type: ['integer', 'null'] },
    user_id: { type: ['integer', 'null'] },
    name: { ...maybe, description: 'Null where the user is gone' },
  }),
)

/** One line of the log of administrative writes. */
export const auditLine = objectOf({
  id: { type: 'integer' },
  actor,
  acting: actor,
  action: { type: 'string' },
  target: { type: 'string' },
  target_name: { ...maybe, description: 'What the target is called, or was' },
  before: {},
  after: {},
  trace_id: maybe,
  created_at: { type: 'string' },
})

/** A part of the log. */
export const auditPart = cursorOf(auditLine)

/** The actions that stand in it. */
export const actionList = objectOf({ items: { type: 'array', items: { type: 'string' } } })
