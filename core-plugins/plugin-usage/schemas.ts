import { objectOf, orNull, periodQuery } from '#kernel/schemas'

const hours = { type: 'integer', minimum: 1, maximum: 744, default: 24 } as const

/** The path of one plugin: its id or its name. */
export const pluginParams = {
  type: 'object',
  required: ['plugin_id'],
  properties: { plugin_id: { type: 'string', minLength: 1, maxLength: 64 } },
} as const

/** How far back figures go. */
export const metricsQuery = {
  type: 'object',
  properties: { hours: { ...hours, description: 'How many hours back' } },
} as const

/** Which time the figures of one plugin are of, and how it is parted. */
export const seriesQuery = {
  type: 'object',
  dependentRequired: { from: ['to'], to: ['from'] },
  properties: {
    hours: { ...hours, description: 'How many hours back, where no period is named' },
    from: {
      ...periodQuery.from,
      description: 'The first hour, of days the first that begins then; not more than 31 days before `to`',
    },
    to: { ...periodQuery.to, description: 'The moment after the last hour' },
    bucket: { enum: ['1h', '1d'], default: '1h', description: 'How long a part of `series` is' },
    tz: {
      type: 'string',
      format: 'time-zone',
      maxLength: 64,
      default: 'UTC',
      description: 'Time zone of the days, as in the IANA database; an hour is of the day it begins in',
    },
  },
} as const

/** By what plugins are compared, and how many are named. */
export const topQuery = {
  type: 'object',
  properties: {
    hours: { ...hours, description: 'How many hours back' },
    by: { enum: ['cpu', 'calls', 'errors', 'egress'], default: 'cpu', description: 'What plugins are compared by' },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 5, description: 'How many at the most' },
  },
} as const

/** The path of a tenant's cost. */
export const tenantCostParams = {
  type: 'object',
  required: ['tenant_id'],
  properties: { tenant_id: { type: 'integer', minimum: 0, maximum: 2147483647 } },
} as const

const text = { type: 'string' } as const
const window = objectOf({ from: text, to: text, hours: { type: 'integer' } })
const amount = { type: 'number' } as const
const milliseconds = { type: ['number', 'null'] } as const
const maybe = { type: ['string', 'null'] } as const
const bytes = { type: ['number', 'null'] } as const

const usageProperties = {
  calls: amount,
  errors: objectOf({ plugin: amount, limit: amount, upstream: amount, host: amount }),
  refusals: amount,
  cpu_ms: amount,
  wall_ms: amount,
  queue_ms: amount,
  p50_ms: milliseconds,
  p95_ms: milliseconds,
  host_calls: amount,
  egress: objectOf({ requests: amount, sent_bytes: amount, received_bytes: amount }),
  storage: objectOf({ operations: amount, written_bytes: amount, read_bytes: amount }),
  database: objectOf({ statements: amount, ms: amount, rows: amount }),
  events: amount,
  log: objectOf({ lines: amount, dropped_lines: amount }),
} as const

/** What calls of plugins did and cost. */
export const usage = objectOf(usageProperties)

/** The same in a part of the time. */
export const usagePart = objectOf({ from: text, to: text, ...usageProperties })

/** The same of one plugin. */
const pluginUsage = objectOf({ plugin: text, ...usageProperties })

/** The same of all plugins at one tenant. */
const tenantUsage = objectOf({
  tenant_id: { type: 'integer' },
  tenant: {
    ...orNull(objectOf({ id: { type: 'integer' }, code: text, name: text })),
    description: 'The tenant; null is the platform, or one that is gone',
  },
  ...usageProperties,
})

const series = {
  type: 'array',
  description: 'The time in parts, those in which nothing was done too',
  items: usagePart,
} as const
const breaker = { enum: ['closed', 'open', 'half_open', 'quarantined'] } as const

/** A call that went wrong. */
const failure = objectOf({
  at: text,
  tenant_id: { type: 'integer' },
  host_id: text,
  target: text,
  code: { type: 'integer' },
  reason: text,
  message: maybe,
  trace_id: text,
  stack: maybe,
})

/** What a plugin did and cost. */
export const metricsBody = {
  ...objectOf({
    window,
    totals: usage,
    series,
    tenants: { type: 'array', items: tenantUsage },
    handlers: { type: 'array', items: objectOf({ handler: text, ...usageProperties }) },
    egress_hosts: { type: 'array', items: objectOf({ host: text, ...usageProperties.egress.properties }) },
    kills: { type: 'object', additionalProperties: amount },
    breaker,
    hosts: {
      type: 'array',
      items: objectOf({ host_id: text, breaker, isolate_heap_bytes: bytes, lane_rss_bytes: bytes }),
    },
    recent_failures: { type: 'array', items: failure },
  }),
  additionalProperties: false,
} as const

/** The plugins with the most of something. */
export const topBody = {
  ...objectOf({ by: text, window, items: { type: 'array', items: pluginUsage } }),
  additionalProperties: false,
} as const

/** What each tenant cost. */
export const tenantsCostBody = {
  ...objectOf({ window, items: { type: 'array', items: tenantUsage } }),
  additionalProperties: false,
} as const

/** What one tenant cost. */
export const tenantCostBody = {
  ...objectOf({
    tenant_id: { type: 'integer' },
    window,
    totals: usage,
    plugins: { type: 'array', items: pluginUsage },
    hours: { type: 'array', items: objectOf({ hour: text, ...usageProperties }) },
  }),
  additionalProperties: false,
} as const

/** What a plugin did and cost for one tenant. */
export const ownMetricsBody = {
  ...objectOf({ tenant_id: { type: 'integer' }, plugin: text, window, totals: usage, series }),
  additionalProperties: false,
} as const
