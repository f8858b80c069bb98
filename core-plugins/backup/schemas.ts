import { pageOf, pageQuery, periodQuery } from '#kernel'

const text = { type: 'string' } as const
const count = { type: ['integer', 'null'] } as const
const maybe = { type: ['string', 'null'] } as const

/** A backup that was made, is made, or failed. */
export const backupRun = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...['id', 'state', 'trigger', 'started_by', 'target', 'started_at', 'finished_at'],
    ...['backup', 'rows', 'files', 'bytes', 'sent_files', 'error'],
  ],
  properties: {
    id: { type: 'integer' },
    state: { enum: ['running', 'succeeded', 'failed'] },
    trigger: { enum: ['schedule', 'request'] },
    started_by: count,
    target: text,
    started_at: text,
    finished_at: maybe,
    backup: maybe,
    ...{ rows: count, files: count, bytes: count, sent_files: count },
    error: maybe,
  },
} as const

/** A page of them. */
export const backupPage = pageOf(backupRun)
/** The query of the list. */
export const backupQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    ...periodQuery,
    state: { ...backupRun.properties.state, description: 'Only this state' },
    trigger: { ...backupRun.properties.trigger, description: 'Only those that this began' },
    started_by: {
      type: 'integer',
      minimum: 1,
      maximum: 2147483647,
      description: 'Only those that the user with this id started',
    },
  },
} as const
