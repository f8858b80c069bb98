import { operationKinds, operationStates } from './operation-kinds.ts'

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const
const maybe = { type: ['string', 'null'] } as const

/** An operation on a plugin. */
export const operationBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...[
      'id',
      'plugin',
      'kind',
      'state',
      'step',
      'steps',
      'plan',
      'commit_step',
      'committed',
      'progress',
      'cancellable',
    ],
    ...['actor', 'from_release', 'to_release', 'options', 'error', 'trace_id', 'started_at', 'finished_at'],
  ],
  properties: {
    id: text,
    plugin: text,
    kind: { enum: operationKinds },
    state: { enum: operationStates },
    step: { ...maybe, description: 'The last one that was begun' },
    steps: {
      type: 'array',
      description: 'Those that are done, with what they did',
      items: {
        type: 'object',
        required: ['step', 'at'],
        properties: { step: text, at: text, result: {} },
      },
    },
    plan: { ...texts, description: 'Those that are done, the one that runs or failed, and those to come' },
    commit_step: { ...maybe, description: 'From this one on it is finished, not undone' },
    committed: { type: 'boolean', description: 'Whether that has happened' },
    progress: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['done', 'total'],
      properties: { done: { type: 'integer' }, total: { type: 'integer' } },
      description: 'Bytes of the step that runs, where they are counted',
    },
    cancellable: {
      type: 'boolean',
      description: 'Whether it can be called off: while its package comes, and while it waits for the plugin then',
    },
    from_release: maybe,
    to_release: maybe,
    options: { type: 'object', additionalProperties: true },
    actor: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['id', 'name'],
      properties: { id: { type: 'integer' }, name: maybe },
      description: 'Who asked for it; null for the platform itself',
    },
    error: {
      type: ['object', 'null'],
      required: ['code', 'reason', 'message'],
      properties: { code: { type: 'integer' }, reason: text, message: text },
    },
    trace_id: { ...maybe, description: 'Of the request that it began with' },
    started_at: text,
    finished_at: maybe,
  },
} as const
