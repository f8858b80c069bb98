import { createRouter, createWebHistory, type RouteComponent, type Router, type RouteRecordRaw } from 'vue-router'
import { patiently } from '../tab/patiently.ts'
import { guard } from './guards.ts'
import { followMissingFiles } from './new-build.ts'
import { routes } from './routes.ts'

// Every component in every state, for whoever works on them: `npm run console`, and never in what is built.
const developing: readonly RouteRecordRaw[] = import.meta.env.DEV
  ? [{ path: '/gallery', component: () => import('../gallery/GalleryPage.vue'), meta: { open: true } }]
  : []

/** The console's addresses. */
export function createConsoleRouter(): Router {
  const router = createRouter({
    history: createWebHistory('/console/'),
    routes: [...developing, ...routes].map(patientRoute),
    scrollBehavior: (to, from, saved) => saved ?? (to.path === from.path ? false : { top: 0 }),
  })
  router.beforeEach(guard)
  followMissingFiles(router)
  return router
}

function patientRoute(route: RouteRecordRaw): RouteRecordRaw {
  const load = route.component as (() => Promise<RouteComponent>) | undefined
  return load ? ({ ...route, component: patiently(load) } as RouteRecordRaw) : route
}
