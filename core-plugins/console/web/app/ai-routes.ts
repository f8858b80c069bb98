import type { RouteMeta, RouteRecordRaw } from 'vue-router'
import { page } from './page.ts'

function meta(permission: string, title: string): RouteMeta {
  return { scope: 'platform', permission, title, texts: ['ai'] }
}

/** Pages of the platform's AI. */
export const aiRoutes: readonly RouteRecordRaw[] = [
  page('/admin/ai/providers', meta('ai_provider:list', 'ai.providers'), () => import('../ai/ProvidersPage.vue')),
  page('/admin/ai/models', meta('ai_model:list', 'ai.models'), () => import('../ai/ModelsPage.vue')),
  page('/admin/ai/models/:id', meta('ai_model:detail', 'ai.models'), () => import('../ai/ModelPage.vue')),
  page(
    '/admin/ai/gateway/:tab?',
    meta('ai_gateway:detail', 'ai.gateway'),
    () => import('../ai/gateway/GatewayPage.vue'),
  ),
  page('/admin/ai/quotas', meta('ai_quota:list', 'ai.quotas'), () => import('../ai/QuotasPage.vue')),
  page('/admin/ai/quotas/:id', meta('ai_quota:detail', 'ai.quotas'), () => import('../ai/QuotaPage.vue')),
  page('/admin/ai/api-keys', meta('ai_api_key:list', 'ai.keys'), () => import('../ai/KeysPage.vue'), {
    right: 'ai_api_key',
  }),
  page('/admin/ai/usage', meta('ai_usage:read', 'ai.usage'), () => import('../ai/usage/UsagePage.vue'), {
    costing: 'ai_usage:costs',
    exporting: 'ai_usage:export',
    reporting: 'ai_usage:report',
  }),
  page('/admin/ai/health', meta('ai_health:read', 'ai.aiHealth'), () => import('../ai/HealthPage.vue')),
  page(
    '/admin/ai/mcp-servers',
    { ...meta('ai_mcp_server:list', 'mcp.servers'), texts: ['mcp'] },
    () => import('../mcp/ServersPage.vue'),
    { area: 'admin' },
  ),
  page(
    '/admin/ai/mcp-servers/:id/:tab?',
    { ...meta('ai_mcp_server:detail', 'mcp.servers'), texts: ['mcp', 'access'] },
    () => import('../mcp/ServerPage.vue'),
    { area: 'admin' },
  ),
  page(
    '/admin/ai/requests',
    { ...meta('ai_health:logs', 'ai.requestLog'), unlisted: true },
    () => import('../ai/RequestsPage.vue'),
  ),
]
