import type { Route } from './route.ts'

/** `METHOD /path` of a route. */
export function routeName({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`
}
