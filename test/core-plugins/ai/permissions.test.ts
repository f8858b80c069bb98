import assert from 'node:assert/strict'
import type { Route } from '#kernel'
import { failoverRoutes } from '../../../core-plugins/ai/failover/routes.ts'
import { gatewayRoutes } from '../../../core-plugins/ai/gateway/routes.ts'
import { healthRoutes } from '../../../core-plugins/ai/health/routes.ts'
import { markupRoutes } from '../../../core-plugins/ai/markups/routes.ts'
import { modelRoutes } from '../../../core-plugins/ai/models/routes.ts'
import { providerTestRoutes } from '../../../core-plugins/ai/provider-tests/routes.ts'
import { providerRoutes } from '../../../core-plugins/ai/providers/routes.ts'
import { statsRoutes } from '../../../core-plugins/ai/stats/routes.ts'
import { keyRoutes } from '../../../core-plugins/ai-ledger/keys/routes.ts'
import { quotaRoutes } from '../../../core-plugins/ai-ledger/quotas/routes.ts'
import { reportRoutes } from '../../../core-plugins/ai-ledger/reports/routes.ts'
import { usageRoutes } from '../../../core-plugins/ai-ledger/usage/routes.ts'

/** No route is called. */
const nothing = {} as never
const routes: readonly Route[] = [
  ...[keyRoutes(nothing), quotaRoutes(nothing, nothing), usageRoutes(nothing), reportRoutes(nothing)],
  ...[providerRoutes(nothing, nothing, nothing), providerTestRoutes(nothing)],
  ...[modelRoutes(nothing, nothing, nothing, nothing), gatewayRoutes(nothing, nothing), markupRoutes(nothing)],
  ...[statsRoutes(nothing), failoverRoutes(nothing), healthRoutes(nothing)],
].flat()

/** Of administrators of the platform, and of those of a tenant. */
const both = (permission: string) => ({ platform: permission, tenant: `tenant_${permission}` })
const platforms = (platform: string) => ({ platform })
const quota = (platform: string, tenant = platform) => ({
  platform: `ai_quota:${platform}`,
  tenant: `tenant_ai_quota:${tenant}`,
})
const key = (platform: string, tenant = platform) => ({
  platform: `ai_api_key:${platform}`,
  tenant: `tenant_ai_key:${tenant}`,
})
const usage = (platform: string) => ({ platform: `ai_usage:${platform}`, tenant: 'tenant_usage:read' })

/** What each endpoint lets one do, and what is asked of who calls it. */
const wanted: Readonly<Record<string, unknown>> = {
  'get api-keys': key('list'),
  'post api-keys': key('create'),
  'get api-keys/{key_id}': key('detail', 'list'),
  'put api-keys/{key_id}': key('update'),
  'delete api-keys/{key_id}': key('delete'),
  'post api-keys/{key_id}/rotate': key('rotate'),
  'get quotas': quota('list'),
  'post quotas': quota('create'),
  'get quotas/{quota_id}': quota('detail', 'list'),
  'put quotas/{quota_id}': quota('update'),
  'get quotas/{quota_id}/usage': quota('usage', 'list'),
  'post quotas/{quota_id}/reset': quota('reset'),
  'get usage': usage('read'),
  'get usage/trends': usage('read'),
  'get usage/costs': usage('costs'),
  'get usage/export': usage('export'),
  'get usage/reports': usage('report'),
  'post usage/reports': usage('report'),
  'get usage/reports/{report_id}': usage('report'),
  'delete usage/reports/{report_id}': usage('report'),
  'get providers': both('ai_provider:list'),
  'post providers': both('ai_provider:create'),
  'get provider-offers': both('ai_provider:list'),
  'get providers/{provider_id}': both('ai_provider:detail'),
  'put providers/{provider_id}': both('ai_provider:update'),
  'delete providers/{provider_id}': both('ai_provider:delete'),
  'post providers/{provider_id}/test': both('ai_provider:test'),
  'post providers/test': both('ai_provider:test'),
  'get models': both('ai_model:list'),
  'post models': both('ai_model:create'),
  'get models/{model_id}': both('ai_model:detail'),
  'put models/{model_id}': both('ai_model:update'),
  'delete models/{model_id}': both('ai_model:delete'),
  'get models/{model_id}/versions': both('ai_model:detail'),
  'post models/{model_id}/versions': both('ai_model:version'),
  'get gateway': both('ai_gateway:detail'),
  'put gateway': platforms('ai_gateway:update'),
  'get gateway/markups': platforms('ai_gateway:detail'),
  'put gateway/markups/{tenant_id}': platforms('ai_gateway:update'),
  'delete gateway/markups/{tenant_id}': platforms('ai_gateway:update'),
  'get gateway/routes': both('ai_gateway:routes'),
  'post gateway/routes': both('ai_gateway:routes'),
  'put gateway/routes/{route_id}': both('ai_gateway:routes'),
  'delete gateway/routes/{route_id}': both('ai_gateway:routes'),
  'get gateway/stats': both('ai_gateway:stats'),
  'post gateway/failover': both('ai_gateway:failover'),
  'get health': both('ai_health:read'),
  'get health/checks': both('ai_health:read'),
  'get health/metrics': both('ai_health:metrics'),
  'get health/logs': both('ai_health:logs'),
  'get health/alerts': both('ai_health:alerts'),
  'post health/alerts': both('ai_health:alerts'),
  'delete health/alerts/{rule_id}': both('ai_health:alerts'),
}

describe('the endpoints of the AI gateway and its ledger', () => {
  it('ask for the permission of what they do', () => {
    const asked = routes.map(({ method, path, auth, permission }) => [
      `${method} ${path.replace('/admin/ai/', '')}`,
      auth === 'platform'
        ? platforms(typeof permission === 'string' ? permission : (permission?.platform ?? ''))
        : permission,
    ])
    assert.deepEqual(Object.fromEntries(asked), wanted)
  })
})
