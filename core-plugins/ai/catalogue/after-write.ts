import type { Route } from '#kernel'

/** Routes of which those that write have their change in the catalogue before they answer. */
export function afterWrite(routes: readonly Route[], wrote: () => Promise<void>): readonly Route[] {
  return routes.map((route) => {
    if (route.method === 'get') return route
    return {
      ...route,
      async handler(ctx: Parameters<Route['handler']>[0]) {
        const answer = await route.handler(ctx)
        await wrote()
        return answer
      },
    }
  })
}
