import { objectOf, orNull, pageOf } from '#kernel/schemas'

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const
const flag = { type: 'boolean' } as const
const maybe = { type: ['string', 'null'] } as const

/** How far the plugins of sources are trusted. */
export const offerTrust = { enum: ['official', 'verified', 'community', 'unsigned'] } as const
/** Ranges of versions, by name. */
const ranges = { type: 'object', additionalProperties: text } as const
const engines = objectOf({ host: text }, { sdk: text })
const revoked = orNull(objectOf({ action: text, severity: text, reason: text, cve: maybe }))

const offerFields = {
  name: text,
  source: text,
  also_in: texts,
  publisher: text,
  title: text,
  description: text,
  latest: text,
  updated: text,
  trust: offerTrust,
  categories: texts,
  keywords: texts,
  capabilities: texts,
  engines: orNull(engines),
  compatible: { type: ['boolean', 'null'], description: 'Null where the source does not tell' },
  trusted: { ...flag, description: 'Whether the source lets in plugins that are trusted so far' },
  has_icon: flag,
  rating: orNull(objectOf({ average: { type: 'number' }, count: { type: 'integer' } })),
  revoked,
  installed: orNull(objectOf({ version: text, source: maybe })),
  update_available: flag,
} as const

/** A plugin of the sources. */
export const offer = { ...objectOf(offerFields), additionalProperties: false } as const

/** A page of plugins of the sources. */
export const offerPage = pageOf(offer)

/** Which build a version came from. */
const provenance = objectOf({ issuer: text, subject: text }, { repository: text, ref: text, commit: text })

/** A version of a plugin of a source. */
const offeredVersion = objectOf({
  version: text,
  channel: maybe,
  published: text,
  size: { type: 'integer' },
  sha256: text,
  engines,
  compatible: flag,
  incompatible: { type: 'array', items: objectOf({ engine: text, range: text }) },
  yanked: orNull({ type: 'object', additionalProperties: true }),
  requires: ranges,
  conflicts: ranges,
  capabilities: texts,
  optional_capabilities: texts,
  hosts: { ...texts, description: 'Those that it asks to speak to' },
  kid: { ...maybe, description: 'The key that it was signed with' },
  release_hash: text,
  min_trust: maybe,
  host_tested: texts,
  changelog: maybe,
  provenance: orNull(provenance),
  revoked,
  key_revoked: flag,
  offered: flag,
})

/** A plugin of a source with its versions. */
export const offerDetail = objectOf({
  ...offerFields,
  license: maybe,
  homepage: maybe,
  repository: maybe,
  support: maybe,
  latest_compatible: maybe,
  versions: { type: 'array', items: offeredVersion },
})

/** A category of plugins. */
export const category = objectOf({ id: text, title: text, plugins: { type: 'integer' } })

/** The categories of all sources. */
export const categoriesBody = objectOf({ items: { type: 'array', items: category } })
