import { objectOf, orNull, pageOf } from '#kernel/schemas'
import { consent } from './consent-schemas.ts'
import { operationBody } from './operation-schemas.ts'
import { pluginScope, pluginStatus, trust } from './plugin-words.ts'
import { leavesWithout, otherRelease, pluginReleases, release } from './release-schemas.ts'

const hash = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const
const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const
const count = { type: 'integer' } as const
const flag = { type: 'boolean' } as const
const maybe = { type: ['string', 'null'] } as const

/** How a plugin is licensed for who reads it. */
export const licensing = objectOf({
  type: { enum: ['free', 'commercial'] },
  state: text,
  features: texts,
  expires_at: maybe,
  grace_until: maybe,
})

const update = objectOf({
  version: text,
  security: { ...flag, description: 'Whether it closes a hole of the version that runs' },
})
const revocation = objectOf({ severity: text, reason: text, found_at: text })

/** A plugin as administrators read it in a list. */
const pluginRecord = objectOf({
  id: count,
  name: text,
  version: text,
  title: text,
  description: text,
  publisher: text,
  scope: pluginScope,
  status: pluginStatus,
  reason: maybe,
  trust,
  source: maybe,
  pinned: flag,
  pending: orNull(release),
  update_available: orNull(update),
  icon: maybe,
  release_hash: hash,
  capabilities: texts,
  created_at: text,
  updated_at: text,
  revoked: orNull(revocation),
})

/** What was granted, by whom and when. */
export const grant = objectOf({
  capability: text,
  optional: flag,
  detail: {},
  granted_by: { type: ['integer', 'null'] },
  at: text,
})

const assignment = objectOf({
  tenant_id: count,
  tenant: orNull(objectOf({ id: count, code: text, name: text })),
  enabled: flag,
  capabilities_denied: texts,
})

/** A service of another plugin that a plugin uses, and the first thing that is missing. */
export const usedService = objectOf({
  service: text,
  range: text,
  version: maybe,
  state: { enum: ['met', 'not_installed', 'not_running', 'not_provided', 'version', 'not_available'] },
})

const menuEntry = objectOf({
  id: text,
  area: { enum: ['admin', 'tenant'] },
  slot: text,
  icon: maybe,
  title: text,
  order: { type: ['integer', 'null'] },
  hidden: flag,
  overrides: {
    type: 'object',
    description: 'What administrators chose otherwise than the package',
    properties: { title: { type: 'object', additionalProperties: text }, order: { type: 'integer' }, hidden: flag },
  },
})

const waiting = objectOf({ ...release.properties, leaves_without: leavesWithout }, { consent })

/** A plugin with everything known of it. */
export const pluginDetail = objectOf(
  {
    ...pluginRecord.properties,
    pending: { ...orNull(waiting), description: 'What waits to be allowed in place of the release that runs' },
    package: objectOf({ sha256: text, size: count, kid: maybe, source: maybe }),
    previous: orNull(otherRelease),
    releases: pluginReleases,
    license: text,
    homepage: maybe,
    engines: objectOf({ host: text }, { sdk: text }),
    dependencies: {
      type: 'array',
      items: objectOf({ name: text, range: text, version: maybe }),
      description: 'Plugins that it requires, with the version that is installed',
    },
    dependants: { ...texts, description: 'Plugins that require it' },
    uses: { type: 'array', items: usedService, description: 'Services of other plugins that it uses' },
    used_by: { ...texts, description: 'Plugins that use services of it' },
    left_without: { ...texts, description: 'Those of them that do not have all of these services, as it is now' },
    leaves_without: {
      ...texts,
      description: 'Those that would lose one which they have if it were disabled or removed',
    },
    granted: { type: 'array', items: grant },
    withheld: { ...texts, description: 'Capabilities that an administrator took back' },
    permissions: { type: 'array', items: objectOf({ code: text, title: text }) },
    routes: texts,
    slots: { type: 'array', items: objectOf({ slot: text, id: text, area: { enum: ['admin', 'tenant'] } }) },
    menu: { type: 'array', items: menuEntry },
    hooks: texts,
    schedules: count,
    config_groups: texts,
    tenants: { type: 'array', items: assignment },
    backups: count,
    watch: {
      ...orNull(objectOf({ from: text, until: text, calls: count, errors: count, kills: count })),
      description: 'How the release that an upgrade led to does in its first minute, after which it is null',
    },
    last_operation: { ...orNull(operationBody), description: 'What began last' },
    running_operations: {
      type: 'array',
      items: operationBody,
      description: 'What runs, of which the last to begin comes first',
    },
    licensing,
  },
  { consent, limits: { type: 'object', additionalProperties: { type: 'number' } } },
)

const tenantCounts = {
  ...orNull(objectOf({ assigned: count, enabled: count })),
  additionalProperties: false,
  description: 'How many tenants may use it, and how many have it enabled; null of one of the platform. Administrators',
} as const

/** A row of the list of administrators. */
export const pluginRow = objectOf(
  { ...pluginRecord.properties, tenant_counts: tenantCounts },
  { enabled_by_tenant: flag },
)

const page = pageOf(pluginRow)

/** A page of plugins, with how many there are in each status. */
export const pluginList = {
  ...page,
  required: [...page.required, 'counts'],
  properties: {
    ...page.properties,
    counts: { type: 'object', additionalProperties: { type: 'integer' } },
  },
} as const
