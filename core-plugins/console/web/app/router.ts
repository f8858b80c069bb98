import { createRouter, createWebHistory, type RouteComponent, type Router, type RouteRecordRaw } from 'vue-router'
import { guard } from './guards.ts'
import { followMissingFiles, patiently } from './new-build.ts'
import { routes } from './routes.ts'

/** The console's addresses. */
export function createConsoleRouter(): Router {
  const router = createRouter({
    history: createWebHistory('/console/'),
    routes: routes.map(patientRoute),
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
