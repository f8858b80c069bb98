import type { RouteMeta, RouteRecordRaw } from 'vue-router'
import type { TextArea } from '../tab/i18n.ts'
import { aiRoutes } from './ai-routes.ts'
import { page } from './page.ts'

const area = { area: 'admin' }

function meta(permission: string, title: string, ...texts: readonly TextArea[]): RouteMeta {
  return { scope: 'platform', permission, title, texts: ['admin', ...texts] }
}

/** Pages of the platform's administrators. */
export const adminRoutes: readonly RouteRecordRaw[] = [
  page(
    '/admin',
    meta('console_admin:enter', 'admin.dashboard', 'plugins', 'ai', 'access'),
    () => import('../pages/admin/dashboard/DashboardPage.vue'),
  ),
  page(
    '/admin/tenants',
    meta('platform_tenant:list', 'admin.tenants', 'plugins'),
    () => import('../pages/admin/tenants/TenantsPage.vue'),
  ),
  page(
    '/admin/tenants/:id',
    meta('platform_tenant:detail', 'admin.tenants', 'plugins', 'access', 'ai'),
    () => import('../pages/admin/tenants/TenantPage.vue'),
  ),
  page(
    '/admin/users',
    meta('platform_user:list', 'admin.users', 'people'),
    () => import('../people/UsersPage.vue'),
    area,
  ),
  page(
    '/admin/users/:id',
    meta('platform_user:detail', 'admin.users', 'people', 'access', 'files'),
    () => import('../people/UserPage.vue'),
    area,
  ),
  page(
    '/admin/roles',
    meta('platform_role:list', 'access.roles', 'access'),
    () => import('../access/RolesPage.vue'),
    area,
  ),
  page(
    '/admin/roles/:id',
    meta('platform_role:detail', 'access.roles', 'access'),
    () => import('../access/RolePage.vue'),
    area,
  ),
  page(
    '/admin/permissions',
    meta('platform_role:list', 'access.permissions', 'access'),
    () => import('../access/PermissionsPage.vue'),
  ),
  page(
    '/admin/plugins',
    meta('platform_plugin:list', 'admin.plugins', 'plugins'),
    () => import('../pages/admin/plugins/PluginsPage.vue'),
  ),
  page(
    '/admin/plugins/:name/:tab?',
    meta('platform_plugin:detail', 'admin.plugins', 'plugins', 'access'),
    () => import('../pages/admin/plugins/PluginPage.vue'),
  ),
  page(
    '/admin/marketplace',
    meta('marketplace:browse', 'admin.marketplace', 'plugins'),
    () => import('../pages/admin/marketplace/MarketplacePage.vue'),
  ),
  page(
    '/admin/marketplace/:name',
    meta('marketplace:browse', 'admin.marketplace', 'plugins'),
    () => import('../pages/admin/marketplace/OfferPage.vue'),
  ),
  page(
    '/admin/audit-logs',
    meta('platform_audit:list', 'access.audit', 'access', 'people'),
    () => import('../audit/AuditPage.vue'),
    area,
  ),
  page(
    '/admin/configs/:group?',
    meta('platform_config:groups', 'admin.configs', 'settings'),
    () => import('../pages/admin/configs/ConfigsPage.vue'),
  ),
  page(
    '/admin/config-changes',
    meta('platform_config:update', 'settings.changes', 'settings'),
    () => import('../settings/ChangesPage.vue'),
    area,
  ),
  page('/admin/menus', meta('platform_menu:list', 'access.menus', 'access'), () => import('../access/MenusPage.vue')),
  page(
    '/admin/preferences',
    meta('platform_preference:read', 'access.defaults', 'access', 'account'),
    () => import('../preferences/DefaultsPage.vue'),
    { permission: 'platform_preference:update' },
  ),
  page(
    '/admin/updates',
    meta('marketplace:browse', 'plugins.updates', 'plugins'),
    () => import('../pages/admin/updates/UpdatesPage.vue'),
  ),
  page(
    '/admin/plugin-sources',
    meta('marketplace:sources', 'plugins.sources', 'plugins'),
    () => import('../pages/admin/sources/SourcesPage.vue'),
  ),
  page(
    '/admin/plugin-operations',
    meta('platform_plugin:detail', 'plugins.operations', 'plugins'),
    () => import('../pages/admin/operations/OperationsPage.vue'),
  ),
  page(
    '/admin/orphans',
    { ...meta('platform_plugin:force_cleanup', 'plugins.orphans', 'plugins'), unlisted: true },
    () => import('../pages/admin/orphans/OrphansPage.vue'),
  ),
  page(
    '/admin/files',
    meta('platform_attachment:list', 'system.files', 'system'),
    () => import('../files/FilesPage.vue'),
    area,
  ),
  page(
    '/admin/system',
    meta('platform_health:read', 'system.title', 'system'),
    () => import('../pages/admin/system/SystemPage.vue'),
  ),
  page(
    '/admin/notify',
    meta('platform_notification:send', 'system.announcements', 'system'),
    () => import('../announcements/AnnouncementsPage.vue'),
    area,
  ),
  page(
    '/admin/api',
    meta('console_admin:enter', 'system.api', 'system'),
    () => import('../pages/admin/api/ApiPage.vue'),
  ),
  ...aiRoutes,
]
