import { objectOf, orNull } from '#kernel/schemas'
import { revocationBody } from '../judging/schemas.ts'

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const
const flag = { type: 'boolean' } as const
const count = { type: 'integer' } as const
const maybe = { type: ['string', 'null'] } as const
const compared = objectOf({ added: texts, removed: texts })

/** An installed plugin with what its source has for it. */
export const update = objectOf({
  id: count,
  name: text,
  title: text,
  installed: text,
  latest: maybe,
  latest_compatible: maybe,
  status: {
    ...text,
    description: 'current, available, pinned, incompatible, uploaded, source_gone, not_offered or failed',
  },
  incompatible: { type: 'array', items: objectOf({ engine: text, range: text }) },
  pinned: flag,
  used_by: {
    ...texts,
    description: 'Plugins that use services of it; a dry run of the upgrade says whom it leaves without one',
  },
  source: maybe,
  security: flag,
  revoked: orNull(revocationBody),
  yanked: orNull({ type: 'object', additionalProperties: true }),
  rights: {
    ...orNull(objectOf({ change: { enum: ['none', 'narrower', 'wider'] }, capabilities: compared, hosts: compared })),
    description:
      'What the newer one asks for beyond, or less than, the one that is installed, as far as an index tells',
  },
  changelog: { type: 'array', items: objectOf({ version: text, published: text }, { changelog: text }) },
  error: orNull(objectOf({ code: count, reason: text, message: text })),
})

/** What could be newer. */
export const updatesBody = objectOf(
  {
    items: { type: 'array', items: update },
    total: count,
    available: count,
    security: { ...count, description: 'How many of those that are available take the place of a revoked one' },
  },
  { page: count, page_size: count, pages: count },
)

/** A page of what could be newer; without a size all of it. */
export const updatesQuery = {
  type: 'object',
  properties: {
    page: { type: 'integer', minimum: 1, maximum: 100_000, description: 'Which page; the first unless said otherwise' },
    page_size: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      description: 'How many on a page; all of them unless said otherwise',
    },
  },
} as const

/** Which installed plugins would not run on a version of the platform. */
export const hostBody = objectOf({
  host: text,
  version: text,
  ready: flag,
  blocked_by: {
    type: 'array',
    items: objectOf({
      name: text,
      version: text,
      engines: objectOf({ host: text }, { sdk: text }),
      fixed_by: { ...maybe, description: 'The newest release that would run' },
    }),
  },
})

/** The version of the platform that is asked about. */
export const hostQuery = {
  type: 'object',
  required: ['version'],
  properties: {
    version: {
      type: 'string',
      pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+(-[0-9A-Za-z.-]+)?$',
      maxLength: 64,
      description: 'The version of the platform that is asked about',
    },
  },
} as const
