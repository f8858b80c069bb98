import { periodQuery } from '#kernel'

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

const window = {
  type: 'object',
  required: ['from', 'to', 'hours'],
  properties: { from: { type: 'string' }, to: { type: 'string' }, hours: { type: 'integer' } },
} as const
const amount = { type: 'number' } as const
const milliseconds = { type: ['number', 'null'] } as const

function group<const N extends string>(...names: readonly N[]) {
  const properties = Object.fromEntries(names.map((name) => [name, amount])) as Readonly<Record<N, typeof amount>>
  return { type: 'object', additionalProperties: false, required: names, properties } as const
}

const usageProperties = {
  calls: amount,
  errors: group('plugin', 'limit', 'upstream', 'host'),
  refusals: amount,
  cpu_ms: amount,
  wall_ms: amount,
  queue_ms: amount,
  p50_ms: milliseconds,
  p95_ms: milliseconds,
  host_calls: amount,
  egress: group('requests', 'sent_bytes', 'received_bytes'),
  storage: group('operations', 'written_bytes', 'read_bytes'),
  database: group('statements', 'ms', 'rows'),
  events: amount,
  log: group('lines', 'dropped_lines'),
} as const
const usageNames = Object.keys(usageProperties)
const usage = { type: 'object', required: usageNames, properties: usageProperties } as const

function usageOf(name: string, type: 'string' | 'integer') {
  const properties = { [name]: { type }, ...usageProperties }
  return { type: 'array', items: { type: 'object', required: [name, ...usageNames], properties } } as const
}

const series = {
  type: 'array',
  description: 'The time in parts, those in which nothing was done too',
  items: {
    type: 'object',
    required: ['from', 'to', ...usageNames],
    properties: { from: { type: 'string' }, to: { type: 'string' }, ...usageProperties },
  },
} as const
const namedTenant = {
  type: ['object', 'null'],
  required: ['id', 'code', 'name'],
  properties: { id: { type: 'integer' }, code: { type: 'string' }, name: { type: 'string' } },
  description: 'The tenant; null is the platform, or one that is gone',
} as const
const tenantUsage = {
  type: 'array',
  items: {
    type: 'object',
    required: ['tenant_id', 'tenant', ...usageNames],
    properties: { tenant_id: { type: 'integer' }, tenant: namedTenant, ...usageProperties },
  },
} as const

const list = { type: 'array', items: { type: 'object' } } as const

/** What a plugin did and cost. */
export const metricsBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...['window', 'totals', 'series', 'tenants', 'handlers', 'egress_hosts'],
    ...['kills', 'breaker', 'hosts', 'recent_failures'],
  ],
  properties: {
    window,
    totals: usage,
    series,
    tenants: tenantUsage,
    handlers: usageOf('handler', 'string'),
    egress_hosts: list,
    kills: { type: 'object', additionalProperties: amount },
    breaker: { enum: ['closed', 'open', 'half_open', 'quarantined'] },
    hosts: list,
    recent_failures: list,
  },
} as const

/** The plugins with the most of something. */
export const topBody = {
  type: 'object',
  additionalProperties: false,
  required: ['by', 'window', 'items'],
  properties: { by: { type: 'string' }, window, items: usageOf('plugin', 'string') },
} as const

/** What each tenant cost. */
export const tenantsCostBody = {
  type: 'object',
  additionalProperties: false,
  required: ['window', 'items'],
  properties: { window, items: tenantUsage },
} as const

/** What one tenant cost. */
export const tenantCostBody = {
  type: 'object',
  additionalProperties: false,
  required: ['tenant_id', 'window', 'totals', 'plugins', 'hours'],
  properties: {
    tenant_id: { type: 'integer' },
    window,
    totals: usage,
    plugins: usageOf('plugin', 'string'),
    hours: usageOf('hour', 'string'),
  },
} as const

/** What a plugin did and cost for one tenant. */
export const ownMetricsBody = {
  type: 'object',
  additionalProperties: false,
  required: ['tenant_id', 'plugin', 'window', 'totals', 'series'],
  properties: { tenant_id: { type: 'integer' }, plugin: { type: 'string' }, window, totals: usage, series },
} as const
