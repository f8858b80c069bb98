import { created, defineRoute, deletedBody, raw, readPage, type Principal, type Route } from '#kernel'
import { demand } from '../permissions.ts'
import type { AlertRules } from './alerts/rule-service.ts'
import type { CheckLog } from './checks/check-log.ts'
import type { readLogs } from './logs/read-logs.ts'
import { printMetrics } from './metrics/print-metrics.ts'
import type { Metrics } from './metrics/read-metrics.ts'
import type { readOverview } from './overview.ts'
import * as schemas from './schemas.ts'

type LogQuery = Parameters<typeof readLogs>[2]

/** What the endpoints of health show. */
interface HealthParts {
  readonly overview: (reader: Principal) => ReturnType<typeof readOverview>
  readonly metrics: (reader: Principal) => Promise<Metrics>
  readonly logs: (reader: Principal, query: LogQuery) => ReturnType<typeof readLogs>
  readonly checks: Pick<CheckLog, 'read'>
  readonly rules: AlertRules
}

const path = '/admin/ai/health'
const sortable = ['-created_at', 'name']

/** The endpoints of health: the platform's over all tenants, a tenant's over its own. */
export function healthRoutes({ overview, metrics, logs, checks, rules }: HealthParts): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path,
      summary: 'See how AI is: providers, routes, quotas, the ledger, alerts',
      permission: demand('ai_health:read'),
      schema: { response: schemas.overviewBody },
      handler: ({ principal }) => overview(principal),
    }),
    defineRoute({
      method: 'get',
      path: `${path}/checks`,
      summary: 'List what checks of AI providers found, newest first',
      permission: demand('ai_health:read'),
      schema: { query: schemas.checkQuery, response: schemas.checkBody },
      handler: ({ principal, query }) => checks.read(principal, query),
    }),
    defineRoute({
      method: 'get',
      path: `${path}/metrics`,
      summary: 'Read figures of the AI gateway, for Prometheus with Accept: text/plain',
      permission: demand('ai_health:metrics'),
      produces: ['application/json', 'text/plain'],
      schema: { response: schemas.metricBody },
      async handler(ctx) {
        const figures = await metrics(ctx.principal)
        if (!wantsText(ctx.header('accept'))) return figures
        const { text, contentType } = await printMetrics(figures)
        return raw(text, contentType, { headers: { 'cache-control': 'no-store', vary: 'Accept' } })
      },
    }),
    defineRoute({
      method: 'get',
      path: `${path}/logs`,
      summary:
        'List AI requests, newest first; what was said in them is there for whoever may read it, where it is kept',
      permission: demand('ai_health:logs'),
      schema: { query: schemas.logQuery, response: schemas.logBody },
      handler: ({ principal, query }) => logs(principal, query),
    }),
    defineRoute({
      method: 'get',
      path: `${path}/alerts`,
      summary: 'List the rules of AI alerts and where they stand',
      permission: demand('ai_health:alerts'),
      schema: { query: schemas.alertRuleQuery, response: schemas.alertRulePage },
      handler: ({ principal, query }) => rules.list(principal, readPage(query, sortable), query),
    }),
    defineRoute({
      method: 'post',
      path: `${path}/alerts`,
      summary: 'Add a rule that raises AI alerts',
      permission: demand('ai_health:alerts'),
      answers: [201],
      schema: { body: schemas.newAlertRule, response: schemas.alertRuleBody },
      errors: [4229],
      handler: async (ctx) => created(await rules.create(ctx.body, ctx)),
    }),
    defineRoute({
      method: 'delete',
      path: `${path}/alerts/{rule_id}`,
      summary: 'Delete a rule of AI alerts, and its alert with it',
      permission: demand('ai_health:alerts'),
      schema: { params: schemas.alertRuleParams, response: deletedBody },
      errors: [4040],
      handler: async (ctx) => {
        await rules.delete(ctx.params.rule_id, ctx)
        return { deleted: true }
      },
    }),
  ]
}

/** Prometheus names its text format first; whoever takes anything gets JSON. */
function wantsText(accept = ''): boolean {
  const [text, json] = [accept.search(/text\/plain|openmetrics-text/), accept.search(/application\/json/)]
  return text >= 0 && (json < 0 || text < json)
}
