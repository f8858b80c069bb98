import { guardrailPhases, keptPayloads, retriedOn, strategies } from '../stored.ts'

const switched = { type: 'boolean' } as const
const whole = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum }) as const
const share = { type: 'number', minimum: 0, maximum: 1 } as const
const milliseconds = (maximum: number) => whole(100, maximum)
const part = <const P>(properties: P) => ({ type: 'object', additionalProperties: false, properties }) as const

const sections = {
  enabled: { ...switched, description: 'false: every call is refused' },
  default_strategy: { enum: strategies },
  retry: part({
    max_attempts: { ...whole(1, 10), description: 'In all, the first one included' },
    on: { type: 'array', uniqueItems: true, items: { enum: retriedOn } },
    backoff_ms: {
      type: 'array',
      minItems: 2,
      maxItems: 2,
      items: whole(0, 60_000),
      description: 'The shortest and the longest wait before one target is asked again',
    },
    budget_ratio: { ...share, description: 'Retries that each request allows' },
    budget_min_per_s: { type: 'number', minimum: 0, maximum: 1_000 },
  }),
  breaker: part({
    ...{ window_s: whole(5, 600), min_requests: whole(1, 10_000), error_rate: share, consecutive: whole(1, 1_000) },
    ...{ open_s: whole(1, 3_600), open_max_s: whole(1, 86_400), half_open_probes: whole(1, 100) },
    ...{ close_after: whole(1, 100), slow_start_s: whole(0, 3_600) },
    panic: { enum: ['least_bad', 'fail'] },
  }),
  timeouts: part({
    connect_ms: milliseconds(60_000),
    first_token_ms: milliseconds(3_600_000),
    idle_ms: milliseconds(3_600_000),
    total_ms: milliseconds(7_200_000),
  }),
  stream: part({
    failover_before_first_token: switched,
    after_first_token: { enum: ['terminate'] },
    early_commit_after_ms: whole(0, 600_000),
    on_client_abort: { enum: ['cancel'] },
    drain_ms: {
      ...whole(0, 2_000),
      description:
        'So long an answer is read on after its client went away, for the provider’s figures; 0: it is ended at once',
    },
    heartbeat_s: whole(1, 300),
  }),
  guardrails: {
    type: 'array',
    maxItems: 20,
    description: 'Guardrails of plugins, in the order in which they are asked; a list replaces the one before',
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['plugin', 'phase', 'mode'],
      properties: {
        plugin: { type: 'string', minLength: 1, maxLength: 64 },
        guardrail: { type: 'string', minLength: 1, maxLength: 64, description: 'The plugin’s first unless given' },
        phase: { type: 'array', minItems: 1, uniqueItems: true, items: { enum: guardrailPhases } },
        mode: { enum: ['mask', 'block', 'flag'], description: 'What findings come to' },
        on_error: { enum: ['open', 'closed'], description: 'What a failure comes to; the plugin’s word unless given' },
        timeout_ms: { ...milliseconds(10_000), minimum: 10 },
      },
    },
  },
  openai_compat: part({
    enabled: { ...switched, description: 'false: whoever calls /v1 is refused' },
    path: { const: '/v1' },
    agents_as_models: { ...switched, description: 'false: agents are no models there' },
  }),
  logging: part({
    payloads: {
      enum: keptPayloads,
      description:
        'Of which requests what was said is kept, sealed: errors are those that failed. Tenants have to let it be, too',
    },
    redact: { ...switched, description: 'Without keys, addresses and numbers, as far as their form tells them' },
    retention_days: { ...whole(1, 365), description: 'Of the log of requests and of checks' },
  }),
} as const

/** A change of the settings; what is absent stays. */
export const gatewayChange = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    ...sections,
    version: { type: 'integer', description: 'Where it is given it is the present one, as with If-Match' },
  },
} as const

/** The settings, all of them. */
export const gatewayBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...(['enabled', 'default_strategy', 'retry', 'breaker', 'timeouts', 'stream', 'guardrails'] as const),
    ...(['openai_compat', 'logging', 'version'] as const),
  ],
  properties: {
    ...sections,
    version: { type: 'integer', description: 'Also the ETag, for If-Match' },
    dry_run: { type: 'boolean', description: 'Nothing was written' },
  },
} as const

/** Whether a change is only tried. */
export const dryRunQuery = {
  type: 'object',
  properties: { dry_run: { type: 'boolean', description: 'Only tells what would be done' } },
} as const
