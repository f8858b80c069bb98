import type { RouteMeta, RouteRecordRaw } from 'vue-router'
import type { SessionScope } from '../tab/hint.ts'
import type { TextArea } from '../tab/i18n.ts'
import { adminRoutes } from './admin-routes.ts'
import { page } from './page.ts'
import { tenantRoutes } from './tenant-routes.ts'

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
    /** Reached from another page, and from no entry of the menu. */
    readonly unlisted?: boolean
    /** The key of its title. */
    readonly title?: string
  }
}

const open = { open: true, texts: ['public'] } satisfies RouteMeta

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

  page('/legal/privacy', { ...open, title: 'public.legal.privacy' }, () => import('../pages/public/LegalPage.vue'), {
    type: 'privacy',
  }),
  page('/legal/terms', { ...open, title: 'public.legal.terms' }, () => import('../pages/public/LegalPage.vue'), {
    type: 'terms',
  }),

  {
    path: '/profile',
    component: () => import('../pages/account/ProfilePage.vue'),
    meta: { texts: ['account', 'files'], title: 'account.profile' },
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
    path: '/search',
    component: () => import('../search/SearchPage.vue'),
    meta: { title: 'shell.search', unlisted: true },
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

  ...adminRoutes,
  ...tenantRoutes,
  { path: '/:rest(.*)*', name: 'missing', component: () => import('../pages/account/MissingPage.vue') },
]
