import type { Route } from '../route.ts'

/** The ways to say who calls, by name; OAuth 2 where there are routes that grant tokens. */
export function securitySchemes(routes: readonly Route[]): Readonly<Record<string, object>> {
  const tokenUrl = shortestPath(routes, 'password')
  const refreshUrl = shortestPath(routes, 'refresh')
  const flow = { tokenUrl, ...(refreshUrl !== undefined && { refreshUrl }), scopes: {} }
  return {
    bearer: { type: 'http', scheme: 'bearer', description: 'An access token or an API key.' },
    ...(tokenUrl !== undefined && {
      oauth2: { type: 'oauth2', description: 'A sign-in by password, as RFC 6749 has it.', flows: { password: flow } },
    }),
    api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' },
  }
}

/** Of routes that do the same for several areas the one for all of them has the shortest path. */
function shortestPath(routes: readonly Route[], grant: NonNullable<Route['grantsTokens']>): string | undefined {
  const paths = routes.filter(({ grantsTokens }) => grantsTokens === grant).map(({ path }) => path)
  return paths.sort((a, b) => a.length - b.length)[0]
}
