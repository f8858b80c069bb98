import type { JSONSchema } from 'json-schema-to-ts'
import { cursorOf, pageOf, pageQuery, periodQuery } from '#kernel/schemas'
import { providerHealth } from '../health-schemas.ts'
import { alertMetrics, operators } from './alerts/alert-words.ts'
import { checkKinds } from './checks/check-kinds.ts'
import { logLevels } from './logs/level.ts'

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const whole = { type: 'integer' } as const
const maybeWhole = { type: ['integer', 'null'] } as const
const id = { type: 'string', minLength: 1, maxLength: 200 } as const
const tenant = { type: 'integer', minimum: 0, maximum: 2_147_483_647, description: '0 is the platform' } as const
const object = <const P extends Readonly<Record<string, JSONSchema>>>(properties: P) => {
  const required = Object.keys(properties) as readonly (keyof P & string)[]
  return { type: 'object', additionalProperties: false, required, properties } as const
}
const list = <const I extends object>(items: I) => ({ type: 'array', items }) as const

const alert = object({ id: text, rule: text, rule_id: maybe, metric: text, since: text, value: { type: 'number' } })

/** How AI is. */
export const overviewBody = object({
  status: { enum: ['ok', 'degraded', 'down'] },
  at: text,
  providers: list(object({ id: text, name: text, code: text, ...providerHealth.properties })),
  routes: list(object({ id: text, name: text, healthy_targets: whole, total: whole })),
  quotas: object({ near_limit: whole, exhausted: whole }),
  sandbox: {
    type: ['object', 'null'],
    description: 'Of this host; null for tenants',
    properties: { isolates: whole, queue: whole, killed_1h: whole },
  },
  ledger: {
    type: ['object', 'null'],
    description: 'null for tenants',
    properties: { open_holds: whole, oldest_hold_s: whole, recovered_1h: whole, rollup_lag_s: whole },
  },
  alerts: list(alert),
})

const rowQuery = {
  ...periodQuery,
  tenant_id: tenant,
  cursor: { type: 'string', maxLength: 120, description: 'Where the last part ended: its `next_cursor`' },
  limit: { type: 'integer', minimum: 1, maximum: 200, description: 'How many at the most' },
} as const

/** Which checks are wanted. */
export const checkQuery = {
  type: 'object',
  properties: {
    ...rowQuery,
    provider_id: { ...id, description: 'Only those of this provider' },
    kind: { enum: checkKinds, description: 'Only this kind' },
    ok: { type: 'boolean', description: 'Only checks that went well, or only those that did not' },
  },
} as const

/** Checks, newest first. */
export const checkBody = cursorOf(
  object({
    ...{ id: text, at: text, tenant_id: maybeWhole, provider_id: text, target: maybe, kind: { enum: checkKinds } },
    ok: { type: 'boolean' },
    ...{ level: text, ms: maybeWhole, status: maybeWhole, class: maybe, detail: maybe, cost: text, node: text },
  }),
)

/** Which requests are wanted. */
export const logQuery = {
  type: 'object',
  properties: {
    ...rowQuery,
    id: { ...id, description: 'Only the request with this id' },
    level: { enum: logLevels, description: 'Only this level' },
    provider_id: { ...id, description: 'That was asked first or last' },
    trace_id: { ...id, description: 'Only those of this request' },
    outcome: { ...id, description: 'ok, client_abort, or the reason of the error' },
  },
} as const

const attempt = object({
  ...{ target: text, provider_id: text, model_id: text, status: whole, class: text, ms: whole, ttft_ms: maybeWhole },
  because: { ...text, description: 'Why the request went there' },
})

const logged = object({
  ...{ id: text, at: text, trace_id: text, request_id: maybe, tenant_id: maybeWhole, user_id: maybeWhole },
  ...{ key_id: maybe, agent_id: maybe, conversation_id: maybe, purpose: text, model: text, route: maybe },
  stream: { type: 'boolean' },
  ...{ attempts: list(attempt), outcome: text, level: { enum: logLevels } },
  usage: {
    type: ['object', 'null'],
    properties: {
      ...{ input_tokens: whole, cached_input_tokens: whole, output_tokens: whole, reasoning_tokens: whole },
      source: text,
    },
  },
  ...{ cost: text, ttft_ms: maybeWhole, duration_ms: whole },
  findings: {
    ...list({
      ...object({ guardrail: text, phase: text, outcome: text }),
      properties: { guardrail: text, phase: text, outcome: text, reason: text },
    }),
    description: 'What guardrails found, without a word of what was said',
  },
})

/** A request. */
export const requestBody = {
  ...logged,
  properties: {
    ...logged.properties,
    payload: {
      type: ['object', 'null'],
      description:
        'What was said, where it is kept; absent for whoever may not read it, and for staff of the platform without a fresh sign-in',
    },
  },
} as const

/** Requests, newest first. */
export const logBody = cursorOf(requestBody)

const count = { type: 'integer', minimum: 0 } as const
const ratio = { type: 'number' } as const

/** Figures of the gateway. */
export const metricBody = object({
  at: text,
  requests: list(object({ provider_id: text, model: text, outcome: text, count })),
  usage_estimated: list(object({ provider_id: text, model: text, count })),
  ttft: list(object({ provider_id: text, target: text, p50_ms: whole, p95_ms: whole })),
  breakers: list(object({ provider_id: text, target: text, state: { enum: ['closed', 'half_open', 'open'] } })),
  quotas: list(object({ quota_id: text, name: text, tenant_id: maybeWhole, metric: text, used_ratio: ratio })),
  retry_budget: object({ ratio, limit: ratio }),
})

const owned = { enum: ['platform', 'tenant'] } as const
const state = { enum: ['ok', 'pending', 'firing'] } as const
const scope = {
  type: 'object',
  additionalProperties: false,
  description: 'What is left out does not matter',
  properties: { provider_id: id, model_id: id, route_id: id, quota_id: id, tenant_id: tenant },
} as const

const condition = {
  metric: { enum: alertMetrics },
  scope,
  op: { enum: operators },
  value: { type: 'number', description: 'Of rates a share, of ttft_p95 milliseconds, of breakers and routes how many' },
  for_s: { type: 'integer', minimum: 0, maximum: 86_400, description: 'How long it must hold' },
} as const

const ws = { type: 'array', uniqueItems: true, items: { enum: ['admin'] } } as const
const email = {
  type: 'array',
  uniqueItems: true,
  maxItems: 10,
  items: { type: 'string', format: 'email', maxLength: 254 },
} as const

/** A rule to be made. */
export const newAlertRule = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'when'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 100 },
    when: {
      type: 'object',
      additionalProperties: false,
      required: ['metric'],
      description: 'breaker_open and no_healthy_target: any, unless said otherwise',
      properties: condition,
    },
    notify: {
      type: 'object',
      additionalProperties: false,
      properties: {
        ws: { ...ws, description: 'admin: those who may read how AI is' },
        email,
        webhook: { type: ['string', 'null'], maxLength: 2_000, description: 'Told by POST; shown without its path' },
      },
    },
    cooldown_s: {
      type: 'integer',
      minimum: 0,
      maximum: 604_800,
      description: 'So long after it told somebody a rule tells nobody anew; 900 unless said otherwise',
    },
  },
} as const

/** A rule and where it stands. */
export const alertRuleBody = object({
  id: text,
  name: text,
  scope: owned,
  tenant_id: maybeWhole,
  when: object(condition),
  notify: object({ ws, email, webhook: maybe }),
  cooldown_s: whole,
  state,
  value: { type: ['number', 'null'], description: 'As it was last looked at; null where nothing could be said' },
  alert: {
    type: ['object', 'null'],
    properties: { id: text, since: text, value: { type: 'number' } },
  },
  created_at: text,
})

/** A page of rules. */
export const alertRulePage = pageOf(alertRuleBody)

/** Which rules are wanted. */
export const alertRuleQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    scope: { ...owned, description: 'Only those of the platform, or only those of tenants' },
    state: { ...state, description: 'Only this state' },
    tenant_id: tenant,
  },
} as const

/** The rule a path names. */
export const alertRuleParams = {
  type: 'object',
  required: ['rule_id'],
  properties: { rule_id: { type: 'string', maxLength: 64 } },
} as const
