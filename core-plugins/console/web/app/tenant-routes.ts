import type { RouteMeta, RouteRecordRaw } from 'vue-router'
import type { TextArea } from '../tab/i18n.ts'
import { page } from './page.ts'

const area = { area: 'tenant' }

function meta(permission: string, title: string, ...texts: readonly TextArea[]): RouteMeta {
  return { scope: 'tenant', permission, title, texts }
}

/** Pages of tenants: of their administrators, and of everybody who has a conversation. */
export const tenantRoutes: readonly RouteRecordRaw[] = [
  page(
    '/tenant',
    meta('console_tenant:enter', 'tenant.dashboard', 'tenant', 'plugins', 'ai', 'access'),
    () => import('../pages/tenant/dashboard/TenantDashboardPage.vue'),
  ),
  page(
    '/tenant/users',
    meta('tenant_user:list', 'tenant.users', 'tenant', 'people', 'access'),
    () => import('../people/UsersPage.vue'),
    area,
  ),
  page(
    '/tenant/users/invitations',
    { ...meta('tenant_user:create', 'people.invitations', 'tenant', 'people'), unlisted: true },
    () => import('../people/InvitationsPage.vue'),
  ),
  page(
    '/tenant/users/:id',
    meta('tenant_user:detail', 'tenant.users', 'tenant', 'people', 'access', 'files'),
    () => import('../people/UserPage.vue'),
    area,
  ),
  page(
    '/tenant/orgs/:id?',
    meta('tenant_org:list', 'access.orgs', 'access', 'people'),
    () => import('../pages/tenant/orgs/OrgsPage.vue'),
  ),
  page(
    '/tenant/roles',
    meta('tenant_role:list', 'access.roles', 'access'),
    () => import('../access/RolesPage.vue'),
    area,
  ),
  page(
    '/tenant/roles/:id',
    meta('tenant_role:detail', 'access.roles', 'access'),
    () => import('../access/RolePage.vue'),
    area,
  ),
  page(
    '/tenant/plugins',
    meta('tenant_plugin:list', 'tenant.plugins', 'tenant', 'plugins'),
    () => import('../pages/tenant/plugins/TenantPluginsPage.vue'),
  ),
  page(
    '/tenant/plugins/:name/:tab?',
    meta('tenant_plugin:list', 'tenant.plugins', 'tenant', 'plugins'),
    () => import('../pages/tenant/plugins/TenantPluginPage.vue'),
  ),
  page(
    '/tenant/settings/:group?',
    meta('tenant_config:groups', 'tenant.settings', 'tenant', 'settings'),
    () => import('../pages/tenant/settings/SettingsPage.vue'),
  ),
  page(
    '/tenant/config-changes',
    { ...meta('tenant_config:update', 'settings.changes', 'settings'), unlisted: true },
    () => import('../settings/ChangesPage.vue'),
    area,
  ),
  page(
    '/tenant/audit-logs',
    meta('tenant_audit:list', 'access.audit', 'access', 'people'),
    () => import('../audit/AuditPage.vue'),
    area,
  ),
  page(
    '/tenant/preferences',
    meta('tenant_preference:read', 'access.defaults', 'access', 'account'),
    () => import('../preferences/DefaultsPage.vue'),
    { permission: 'tenant_preference:update' },
  ),
  page(
    '/tenant/files',
    meta('tenant_attachment:list', 'system.files', 'system'),
    () => import('../files/FilesPage.vue'),
    area,
  ),
  page(
    '/tenant/domains',
    meta('tenant_domain:list', 'system.domains', 'system'),
    () => import('../pages/tenant/domains/DomainsPage.vue'),
  ),
  page(
    '/tenant/storage',
    meta('tenant_config:groups', 'system.storage', 'system'),
    () => import('../pages/tenant/storage/StoragePage.vue'),
  ),
  page(
    '/tenant/agents',
    meta('tenant_agent:list', 'agents.agents', 'agents'),
    () => import('../agents/AgentsPage.vue'),
  ),
  page(
    '/tenant/agents/:id',
    meta('tenant_agent:detail', 'agents.agents', 'agents', 'ai', 'access', 'user', 'mcp', 'people'),
    () => import('../agents/AgentPage.vue'),
  ),
  page(
    '/tenant/knowledge-bases/:id?',
    meta('tenant_agent:list', 'agents.bases', 'agents', 'files'),
    () => import('../knowledge/KnowledgePage.vue'),
  ),
  page(
    '/tenant/mcp-servers',
    meta('tenant_mcp_server:list', 'mcp.servers', 'mcp'),
    () => import('../mcp/ServersPage.vue'),
    area,
  ),
  page(
    '/tenant/mcp-servers/:id/:tab?',
    meta('tenant_mcp_server:detail', 'mcp.servers', 'mcp', 'access'),
    () => import('../mcp/ServerPage.vue'),
    area,
  ),
  page('/tenant/usage', meta('tenant_usage:read', 'ai.usage', 'ai'), () => import('../ai/usage/UsagePage.vue'), {
    costing: 'tenant_usage:read',
    exporting: 'tenant_usage:read',
    reporting: 'tenant_usage:read',
  }),
  page('/tenant/api-keys', meta('tenant_ai_key:list', 'ai.keys', 'ai'), () => import('../ai/KeysPage.vue'), {
    right: 'tenant_ai_key',
  }),
  page(
    '/tenant/notify',
    { ...meta('tenant_notification:send', 'system.announcements', 'system'), unlisted: true },
    () => import('../announcements/AnnouncementsPage.vue'),
    area,
  ),
  page(
    '/chat/:conversation?',
    meta('user_agent:chat', 'user.chat', 'user', 'files'),
    () => import('../pages/user/chat/ChatPage.vue'),
  ),
  page(
    '/conversations',
    meta('user_conversation:list', 'user.conversations', 'user'),
    () => import('../pages/user/conversations/ConversationsPage.vue'),
  ),
  page(
    '/files',
    meta('user_attachment:read', 'system.ownFiles', 'system', 'files'),
    () => import('../pages/user/files/OwnFilesPage.vue'),
  ),
  page(
    '/memories',
    { ...meta('user_conversation:detail', 'agents.memoriesTitle', 'agents'), unlisted: true },
    () => import('../pages/user/memories/MemoriesPage.vue'),
  ),
]
