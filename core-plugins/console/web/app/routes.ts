import type { RouteMeta, RouteRecordRaw } from 'vue-router'
import type { SessionScope } from '../tab/hint.ts'
import type { TextArea } from '../tab/i18n.ts'

declare module 'vue-router' {
  interface RouteMeta {
    /** Without a session. */
    readonly open?: boolean
    /** Whose page it is; both, unless said otherwise. */
    readonly scope?: SessionScope
    /** What the caller must hold, or is told so. */
    readonly permission?: string
    /** Where its texts stand. */
    readonly texts?: readonly TextArea[]
    /** The key of its title. */
    readonly title?: string
  }
}

const open = { open: true, texts: ['public'] } satisfies RouteMeta
const admin = { scope: 'platform', texts: ['admin'] } satisfies RouteMeta
const tenant = { scope: 'tenant', texts: ['tenant'] } satisfies RouteMeta
const user = { scope: 'tenant', texts: ['user'] } satisfies RouteMeta

/** Every page of the console. */
export const routes: readonly RouteRecordRaw[] = [
  { path: '/', name: 'home', component: () => import('../pages/account/HomePage.vue') },
  {
    path: '/setup',
    component: () => import('../pages/public/SetupPage.vue'),
    meta: { ...open, title: 'public.setup' },
  },
  {
    path: '/login',
    component: () => import('../pages/public/LoginPage.vue'),
    meta: { ...open, title: 'public.signIn' },
  },
  {
    path: '/forgot-password',
    component: () => import('../pages/public/ForgotPage.vue'),
    meta: { ...open, title: 'public.forgot' },
  },
  {
    path: '/reset-password',
    component: () => import('../pages/public/ResetPage.vue'),
    meta: { ...open, title: 'public.reset' },
  },
  {
    path: '/verify-email',
    component: () => import('../pages/public/VerifyPage.vue'),
    meta: { ...open, title: 'public.verify' },
  },
  {
    path: '/register',
    component: () => import('../pages/public/RegisterPage.vue'),
    meta: { ...open, title: 'public.register' },
  },
  {
    path: '/impersonated',
    component: () => import('../pages/public/ImpersonatedPage.vue'),
    meta: { ...open, title: 'public.impersonated' },
  },
  {
    path: '/shared',
    component: () => import('../pages/public/SharedPage.vue'),
    meta: { ...open, texts: ['public', 'user'], title: 'public.shared' },
  },

  {
    path: '/profile',
    component: () => import('../pages/account/ProfilePage.vue'),
    meta: { texts: ['account'], title: 'account.profile' },
  },
  {
    path: '/profile/security',
    component: () => import('../pages/account/SecurityPage.vue'),
    meta: { texts: ['account'], title: 'account.security' },
  },
  {
    path: '/profile/sessions',
    component: () => import('../pages/account/SessionsPage.vue'),
    meta: { texts: ['account'], title: 'account.sessions' },
  },
  {
    path: '/profile/preferences',
    component: () => import('../pages/account/PreferencesPage.vue'),
    meta: { texts: ['account'], title: 'account.preferences' },
  },
  {
    path: '/notifications',
    component: () => import('../pages/account/NotificationsPage.vue'),
    meta: { texts: ['account'], title: 'account.notifications' },
  },
  {
    path: '/plugins/:name/:slot',
    component: () => import('../pages/account/PluginSlotPage.vue'),
    meta: { texts: ['plugins'], title: 'plugins.frame.page' },
  },

  {
    path: '/admin',
    component: () => import('../pages/admin/dashboard/DashboardPage.vue'),
    meta: { ...admin, permission: 'console_admin:enter', texts: ['admin', 'plugins'], title: 'admin.dashboard' },
  },
  {
    path: '/admin/tenants',
    component: () => import('../pages/admin/tenants/TenantsPage.vue'),
    meta: { ...admin, permission: 'platform_tenant:list', texts: ['admin', 'plugins'], title: 'admin.tenants' },
  },
  {
    path: '/admin/tenants/:id',
    component: () => import('../pages/admin/tenants/TenantPage.vue'),
    meta: { ...admin, permission: 'platform_tenant:detail', texts: ['admin', 'plugins'], title: 'admin.tenants' },
  },
  {
    path: '/admin/users',
    component: () => import('../pages/admin/users/AdminUsersPage.vue'),
    meta: { ...admin, permission: 'platform_user:list', texts: ['admin', 'people'], title: 'admin.users' },
  },
  {
    path: '/admin/plugins',
    component: () => import('../pages/admin/plugins/PluginsPage.vue'),
    meta: { ...admin, permission: 'platform_plugin:list', texts: ['admin', 'plugins'], title: 'admin.plugins' },
  },
  {
    path: '/admin/plugins/:name',
    component: () => import('../pages/admin/plugins/PluginPage.vue'),
    meta: { ...admin, permission: 'platform_plugin:detail', texts: ['admin', 'plugins'], title: 'admin.plugins' },
  },
  {
    path: '/admin/marketplace',
    component: () => import('../pages/admin/marketplace/MarketplacePage.vue'),
    meta: { ...admin, permission: 'marketplace:browse', texts: ['admin', 'plugins'], title: 'admin.marketplace' },
  },
  {
    path: '/admin/marketplace/:name',
    component: () => import('../pages/admin/marketplace/OfferPage.vue'),
    meta: { ...admin, permission: 'marketplace:browse', texts: ['admin', 'plugins'], title: 'admin.marketplace' },
  },
  {
    path: '/admin/configs/:group?',
    component: () => import('../pages/admin/configs/ConfigsPage.vue'),
    meta: { ...admin, permission: 'platform_config:groups', texts: ['admin', 'settings'], title: 'admin.configs' },
  },

  {
    path: '/tenant',
    component: () => import('../pages/tenant/dashboard/TenantDashboardPage.vue'),
    meta: {
      ...{ ...tenant, permission: 'console_tenant:enter' },
      ...{ texts: ['tenant', 'plugins'], title: 'tenant.dashboard' },
    },
  },
  {
    path: '/tenant/users',
    component: () => import('../pages/tenant/users/TenantUsersPage.vue'),
    meta: { ...tenant, permission: 'tenant_user:list', texts: ['tenant', 'people'], title: 'tenant.users' },
  },
  {
    path: '/tenant/plugins',
    component: () => import('../pages/tenant/plugins/TenantPluginsPage.vue'),
    meta: { ...tenant, permission: 'tenant_plugin:list', texts: ['tenant', 'plugins'], title: 'tenant.plugins' },
  },
  {
    path: '/tenant/settings/:group?',
    component: () => import('../pages/tenant/settings/SettingsPage.vue'),
    meta: { ...tenant, permission: 'tenant_config:groups', texts: ['tenant', 'settings'], title: 'tenant.settings' },
  },

  {
    path: '/chat/:conversation?',
    component: () => import('../pages/user/chat/ChatPage.vue'),
    meta: { ...user, permission: 'user_agent:chat', title: 'user.chat' },
  },
  {
    path: '/conversations',
    component: () => import('../pages/user/conversations/ConversationsPage.vue'),
    meta: { ...user, permission: 'user_conversation:list', title: 'user.conversations' },
  },

  { path: '/:rest(.*)*', name: 'missing', component: () => import('../pages/account/MissingPage.vue') },
]
