import { pageOf, pageQuery, periodQuery } from '#kernel'

const text = { type: 'string' } as const
const number = { type: 'integer' } as const
const texts = { type: 'array', items: text } as const
const maybeNumber = { type: ['integer', 'null'] } as const
const moment = { type: ['string', 'null'] } as const
const uuid = { type: 'string', format: 'uuid' } as const
const state = { enum: ['active', 'paused'] } as const
const deliveryState = { enum: ['waiting', 'delivered', 'failed', 'skipped'] } as const

const name = { type: 'string', minLength: 1, maxLength: 100 } as const
const url = { type: 'string', minLength: 1, maxLength: 2_000, description: 'https' } as const
const events = {
  type: 'array',
  maxItems: 50,
  uniqueItems: true,
  items: { type: 'string', maxLength: 100, pattern: '^(\\*|[a-z0-9_.-]+(\\.\\*)?)$' },
  description: 'Names of events, beginnings with .*, or *',
} as const
const filter = {
  type: 'object',
  maxProperties: 10,
  propertyNames: { maxLength: 100 },
  additionalProperties: {
    type: 'array',
    minItems: 1,
    maxItems: 50,
    items: { type: ['string', 'number', 'boolean'], maxLength: 200 },
  },
  description: 'By member of an event’s data: the values that it must have one of',
} as const

const hookProperties = {
  id: uuid,
  name: text,
  url: { ...text, description: 'Without what may be secret' },
  events: texts,
  filter: { type: 'object' },
  state,
  paused_for: { type: ['string', 'null'], description: 'asked, gone, failing, or no_reader' },
  failures: { ...number, description: 'Attempts that failed since one succeeded' },
  failing_since: moment,
  seen_by: { ...number, description: 'Whose rights decide which events it gets: who made or changed it last' },
  created_at: text,
  updated_at: text,
} as const

/** A hook. */
export const hookBody = {
  type: 'object',
  additionalProperties: false,
  required: Object.keys(hookProperties),
  properties: {
    ...hookProperties,
    secret: { ...text, description: 'whsec_…; told this once, where it was made' },
  },
} as const

/** A page of hooks. */
export const hookPage = pageOf({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(hookProperties),
  properties: hookProperties,
})

/** Which hooks a list shows. */
export const hookQuery = {
  type: 'object',
  properties: { ...pageQuery, state: { ...state, description: 'Only this state' } },
} as const

/** The kinds of events that hooks may ask for. */
export const kindList = {
  type: 'object',
  additionalProperties: false,
  required: ['items'],
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'summary', 'permissions', 'data'],
        properties: {
          ...{ name: text, summary: text, permissions: texts },
          data: { type: 'object', description: 'JSON Schema of its data' },
        },
      },
    },
  },
} as const

/** What a hook is made of; a user's own has no events to choose. */
export const newHook = {
  own: {
    type: 'object',
    additionalProperties: false,
    required: ['name', 'url'],
    properties: { name, url, filter },
  },
  shared: {
    type: 'object',
    additionalProperties: false,
    required: ['name', 'url', 'events'],
    properties: { name, url, events, filter },
  },
} as const

/** What of a hook changes. */
export const hookChange = {
  own: { ...newHook.own, required: [], minProperties: 1 },
  shared: { ...newHook.shared, required: [], minProperties: 1 },
} as const

/** How a secret is renewed. */
export const renewal = {
  type: 'object',
  additionalProperties: false,
  properties: {
    grace_hours: {
      type: 'integer',
      minimum: 0,
      maximum: 168,
      description: 'How long the one before signs beside it; 24 unless said otherwise',
    },
  },
} as const

/** A secret that was made. */
export const renewedBody = {
  type: 'object',
  additionalProperties: false,
  required: ['secret', 'previous_until'],
  properties: { secret: text, previous_until: moment },
} as const

const deliveryProperties = {
  id: { ...uuid, description: 'The webhook-id of every attempt' },
  event: text,
  state: deliveryState,
  attempts: number,
  last_status: maybeNumber,
  last_error: moment,
  occurred_at: text,
  created_at: text,
  next_at: moment,
  ended_at: moment,
} as const

/** A page of deliveries. */
export const deliveryPage = pageOf({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(deliveryProperties),
  properties: deliveryProperties,
})

const wholeProperties = {
  ...deliveryProperties,
  data: { type: ['object', 'null'], description: 'Null for those who may not see the event' },
  attempt_log: {
    type: 'array',
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['at', 'status', 'error', 'duration_ms'],
      properties: { at: text, status: maybeNumber, error: moment, duration_ms: number },
    },
  },
} as const

/** A delivery with what was sent, and its attempts. */
export const deliveryBody = {
  type: 'object',
  additionalProperties: false,
  required: Object.keys(wholeProperties),
  properties: wholeProperties,
} as const

/** Which deliveries a list shows. */
export const deliveryQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    ...periodQuery,
    state: { ...deliveryState, description: 'Only this state' },
    event: { type: 'string', maxLength: 100, description: 'Only deliveries of this event' },
  },
} as const

/** From when on what was lost is sent again. */
export const replayWish = {
  type: 'object',
  additionalProperties: false,
  required: ['from'],
  properties: { from: { type: 'string', format: 'date-time' } },
} as const

/** How many are sent again. */
export const replayedBody = {
  type: 'object',
  additionalProperties: false,
  required: ['replayed'],
  properties: { replayed: number },
} as const
