import { objectOf } from '#kernel/schemas'

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const count = { type: 'integer' } as const
const flag = { type: 'boolean' } as const
const settings = { type: 'object', additionalProperties: true } as const
const name = { type: 'string', minLength: 1, maxLength: 80 } as const

/** The driver a path names. */
export const driverParams = {
  type: 'object',
  required: ['driver_name'],
  properties: { driver_name: { ...name, description: 'Name of the storage driver' } },
} as const

/** Settings to be tried. */
export const testBody = {
  type: 'object',
  required: ['driver', 'config'],
  additionalProperties: false,
  properties: { driver: name, config: settings, profile_id: name },
} as const

/** A tenant's choice. */
export const choiceBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    profile_id: { type: ['string', 'null'], minLength: 1, maxLength: 80 },
    driver: { type: ['string', 'null'], minLength: 1, maxLength: 80 },
    config: settings,
    base_url: { type: 'string', pattern: '^(https?://\\S{1,2000})?$' },
    skip_test: { type: 'boolean' },
  },
} as const

const steps = {
  type: 'array',
  items: {
    ...objectOf(
      {
        name: { enum: ['validate', 'resolve', 'connect', 'put', 'head', 'get', 'range', 'presign', 'delete'] },
        ok: flag,
        latency_ms: count,
      },
      { error: objectOf({ reason: text, message: text }) },
    ),
    additionalProperties: false,
  },
} as const

/** How a test went. */
export const testResult = {
  ...objectOf({ ok: flag, driver: text, latency_ms: count, steps }),
  additionalProperties: false,
} as const

/** What a driver asks for, also as the fields of a form. */
const form = {
  schema: { type: 'object', additionalProperties: true, description: 'JSON Schema of the settings' },
  ui: {
    type: 'array',
    items: objectOf({
      field: text,
      title: text,
      description: text,
      widget: { enum: ['input', 'number', 'password', 'select', 'switch'] },
      secret: flag,
      visible_when: {},
    }),
  },
  example: { type: 'object', additionalProperties: true },
} as const

/** A driver, for tenants with what they may do with it. */
export const driver = objectOf(
  {
    name: text,
    label: text,
    description: text,
    builtin: flag,
    plugin: maybe,
    capabilities: { type: 'object', additionalProperties: { type: ['boolean', 'string', 'null'] } },
    available: flag,
  },
  form,
)

/** Drivers. */
export const driverList = {
  ...objectOf({ items: { type: 'array', items: driver } }, { allowed_mode: { enum: ['allow_list', 'self_managed'] } }),
  additionalProperties: false,
} as const

/** What a driver asks for. */
export const driverSchema = { ...objectOf({ driver: text, ...form }), additionalProperties: false } as const

/** A tenant's storage. */
export const statusResponse = {
  ...objectOf(
    {
      mode: { enum: ['allow_list', 'self_managed'] },
      effective: objectOf({
        driver: maybe,
        profile_id: maybe,
        base_url: text,
        source: { enum: ['platform', 'profile', 'tenant'] },
      }),
      allowed: objectOf({
        drivers: { type: 'array', items: text },
        profiles: { type: 'array', items: objectOf({ id: text, name: text, driver: text }) },
      }),
      usage: objectOf({ files: count, bytes: count, quota_bytes: { type: ['integer', 'null'] } }),
      health: objectOf({ ok: flag, checked_at: text, error: maybe }),
      existing_files: {
        type: 'array',
        items: objectOf({ storage_ref: text, driver: text, files: count, bytes: count }),
      },
    },
    { pending: { type: 'array', items: text } },
  ),
  additionalProperties: false,
} as const
