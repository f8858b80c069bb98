import type { Schema } from '#kernel'

const text: Schema = { type: 'string' }
const maybe: Schema = { type: ['string', 'null'] }
const count: Schema = { type: 'integer' }
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

const steps: Schema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name', 'ok', 'latency_ms'],
    additionalProperties: false,
    properties: {
      name: { enum: ['validate', 'resolve', 'connect', 'put', 'head', 'get', 'range', 'presign', 'delete'] },
      ok: { type: 'boolean' },
      latency_ms: { type: 'integer' },
      error: { type: 'object', required: ['reason', 'message'], properties: { reason: text, message: text } },
    },
  },
}

/** How a test went. */
export const testResult: Schema = {
  type: 'object',
  required: ['ok', 'driver', 'latency_ms', 'steps'],
  additionalProperties: false,
  properties: { ok: { type: 'boolean' }, driver: text, latency_ms: { type: 'integer' }, steps },
}

/** What a driver asks for, also as the fields of a form. */
const form = {
  schema: { type: 'object', description: 'JSON Schema of the settings' },
  ui: {
    type: 'array',
    items: {
      type: 'object',
      required: ['field', 'title', 'widget', 'secret'],
      properties: {
        field: text,
        title: text,
        description: text,
        widget: { enum: ['input', 'number', 'password', 'select', 'switch'] },
        secret: { type: 'boolean' },
        visible_when: {},
      },
    },
  },
  example: { type: 'object' },
} as const

/** Drivers, for tenants with what they may do with them. */
export const driverList: Schema = {
  type: 'object',
  required: ['items'],
  additionalProperties: false,
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'label', 'description', 'builtin', 'plugin', 'capabilities', 'available'],
        properties: {
          name: text,
          label: text,
          description: text,
          builtin: { type: 'boolean' },
          plugin: maybe,
          capabilities: { type: 'object', additionalProperties: { type: ['boolean', 'string', 'null'] } },
          available: { type: 'boolean' },
          ...form,
        },
      },
    },
    allowed_mode: { enum: ['allow_list', 'self_managed'] },
  },
}

/** What a driver asks for. */
export const driverSchema: Schema = {
  type: 'object',
  required: ['driver', 'schema', 'ui', 'example'],
  additionalProperties: false,
  properties: {
    driver: text,
    ...form,
  },
}

/** A tenant's storage. */
export const statusResponse: Schema = {
  type: 'object',
  required: ['mode', 'effective', 'allowed', 'usage', 'health', 'existing_files'],
  additionalProperties: false,
  properties: {
    mode: { enum: ['allow_list', 'self_managed'] },
    effective: {
      type: 'object',
      required: ['driver', 'profile_id', 'base_url', 'source'],
      properties: {
        driver: maybe,
        profile_id: maybe,
        base_url: text,
        source: { enum: ['platform', 'profile', 'tenant'] },
      },
    },
    allowed: {
      type: 'object',
      required: ['drivers', 'profiles'],
      properties: {
        drivers: { type: 'array', items: text },
        profiles: {
          type: 'array',
          items: {
            type: 'object',
            required: ['id', 'name', 'driver'],
            properties: { id: text, name: text, driver: text },
          },
        },
      },
    },
    usage: {
      type: 'object',
      required: ['files', 'bytes', 'quota_bytes'],
      properties: { files: count, bytes: count, quota_bytes: { type: ['integer', 'null'] } },
    },
    health: {
      type: 'object',
      required: ['ok', 'checked_at', 'error'],
      properties: { ok: { type: 'boolean' }, checked_at: text, error: maybe },
    },
    existing_files: {
      type: 'array',
      items: {
        type: 'object',
        required: ['storage_ref', 'driver', 'files', 'bytes'],
        properties: { storage_ref: text, driver: text, files: count, bytes: count },
      },
    },
    pending: { type: 'array', items: text },
  },
}
