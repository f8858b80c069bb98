import { runOutcomes } from './run-outcomes.ts'

/** How a run ended. */
export const outcome = { enum: runOutcomes } as const

/** A run that ended. */
export const runBody = {
  type: 'object',
  required: ['id', 'run_id', 'tenant_id', 'attempt', 'scheduled_at', 'started_at', 'finished_at', 'outcome'],
  properties: {
    id: { type: 'string' },
    run_id: { type: 'string' },
    tenant_id: { type: ['integer', 'null'] },
    attempt: { type: 'integer' },
    scheduled_at: { type: 'string' },
    started_at: { type: 'string' },
    finished_at: { type: 'string' },
    duration_ms: { type: 'integer' },
    outcome,
    code: { type: ['integer', 'null'] },
    error: { type: ['string', 'null'] },
    trace_id: { type: ['string', 'null'] },
  },
} as const

/** A schedule with its next run and its last one. */
export const scheduleBody = {
  type: 'object',
  required: ['id', 'cron', 'timezone', 'per_tenant', 'next_run_at', 'running', 'skipped', 'last_run'],
  properties: {
    id: { type: 'string' },
    cron: { type: 'string' },
    timezone: { type: 'string' },
    per_tenant: { type: 'boolean' },
    next_run_at: { type: ['string', 'null'] },
    planned: { type: 'integer' },
    running: { type: 'integer' },
    skipped: { type: 'integer' },
    consecutive_failures: { type: 'integer' },
    last_run: { anyOf: [runBody, { type: 'null' }] },
  },
} as const

/** The schedules of a plugin. */
export const scheduleList = {
  type: 'object',
  additionalProperties: false,
  required: ['items'],
  properties: { items: { type: 'array', items: scheduleBody } },
} as const
