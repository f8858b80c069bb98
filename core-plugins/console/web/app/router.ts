import { createRouter, createWebHistory, type Router } from 'vue-router'
import { guard, afterEach } from './guards.ts'
import { routes } from './routes.ts'

/** The console's addresses. */
export function createConsoleRouter(): Router {
  const router = createRouter({
    history: createWebHistory('/console/'),
    routes,
    scrollBehavior: (to, from, saved) => saved ?? (to.path === from.path ? false : { top: 0 }),
  })
  router.beforeEach(guard)
  router.afterEach(afterEach)
  return router
}
