import { pageOf, pageQuery, periodQuery } from '#kernel/schemas'

const text = { type: 'string' } as const
const whole = { type: 'integer' } as const
const maybe = { type: ['string', 'null'] } as const
const state = { enum: ['waiting', 'delayed', 'held', 'running', 'done', 'dead', 'cancelled'] } as const

/** A job and how far it is. */
export const jobBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...[
      'id',
      'kind',
      'tenant_id',
      'state',
      'priority',
      'key',
      'attempts',
      'is_cancelled',
      'percent',
      'progress',
      'error',
    ],
    ...['host', 'run_at', 'scheduled_at', 'created_at', 'started_at', 'finished_at'],
  ],
  properties: {
    id: whole,
    kind: text,
    tenant_id: { ...whole, description: '0 is the platform' },
    state: { ...state, description: 'held: behind another one of its key; dead: given up' },
    priority: whole,
    key: { ...maybe, description: 'Jobs of one key run one after the other' },
    attempts: whole,
    is_cancelled: { type: 'boolean', description: 'Somebody cancelled it; one that runs ends as soon as it can' },
    percent: { type: ['integer', 'null'] },
    progress: maybe,
    error: { ...maybe, description: 'Why the last attempt failed' },
    host: { ...maybe, description: 'Who runs it' },
    run_at: text,
    scheduled_at: { ...maybe, description: 'The time of the schedule that it comes from' },
    created_at: text,
    started_at: maybe,
    finished_at: maybe,
  },
} as const

/** A page of jobs. */
export const jobPage = pageOf(jobBody)

/** Which jobs a list shows. */
export const jobQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    ...periodQuery,
    state: { ...state, description: 'Only this state' },
    kind: { type: 'string', maxLength: 100, description: 'Only this kind' },
    key: { type: 'string', maxLength: 400, description: 'Only jobs of this key, which run one after the other' },
    host: { type: 'string', maxLength: 200, description: 'Only jobs that this host holds' },
    is_cancelled: { type: 'boolean', description: 'Only jobs that somebody cancelled, or only the others' },
    tenant_id: {
      type: 'integer',
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Only those of this tenant; 0 is the platform',
    },
  },
} as const

/** The job a path names. */
export const jobParams = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', minimum: 1, maximum: 9_007_199_254_740_991, description: 'Id of the job' } },
} as const
