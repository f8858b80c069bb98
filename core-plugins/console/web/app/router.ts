import { createRouter, createWebHistory, type Router } from 'vue-router'
import { guard } from './guards.ts'
import { followMissingFiles } from './new-build.ts'
import { routes } from './routes.ts'

/** The console's addresses. */
export function createConsoleRouter(): Router {
  const router = createRouter({
    history: createWebHistory('/console/'),
    routes,
    scrollBehavior: (to, from, saved) => saved ?? (to.path === from.path ? false : { top: 0 }),
  })
  router.beforeEach(guard)
  followMissingFiles(router)
  return router
}
