import { PermissionDeniedError, RouteNotFoundError } from '#kernel'
import type { PluginManifest, PluginRoute, PublicRoute } from '../../manifest/plugin-manifest.ts'
import { shownHeaders } from '../../plugin/guest-request.ts'
import type { TestCaller, TestRequest } from './contract.ts'

/** A route of the manifest with the request as its handler gets it. */
export interface FoundRoute {
  readonly route: PluginRoute | PublicRoute
  readonly isPublic: boolean
  readonly request: TestRequest
}

/** Finds what the manifest has under `METHOD /path?query` for this caller; throws what the gateway refuses it with. */
export function findRoute(
  manifest: PluginManifest,
  spelt: string,
  given: TestRequest,
  { tenant, user }: TestCaller,
): FoundRoute {
  const [method = 'GET', address = '/'] = spelt.split(' ', 2)
  const { pathname, searchParams } = new URL(address, 'http://plugin.test')
  const { admin_routes = [], tenant_routes = [], public_routes = [] } = manifest
  const own = tenant === null ? admin_routes : user === null ? [] : tenant_routes
  for (const route of [...own, ...public_routes]) {
    const matched = route.method === method ? matchPath(route.path, pathname) : undefined
    if (!matched) continue
    const permission = 'permission' in route ? route.permission : undefined
    if (permission !== undefined && user && !user.permissions.includes(permission)) {
      throw new PermissionDeniedError({ permission: `plugin.${manifest.name}:${permission}` })
    }
    const query = { ...Object.fromEntries(searchParams), ...given.query }
    const { rawBody: raw = given.body === undefined ? '' : JSON.stringify(given.body), ...rest } = given
    const rawBody = route.rawBody ? { rawBody: raw } : {}
    const isPublic = route.auth === 'none'
    const headers = shownHeaders(lowerCased(given.headers ?? {}), isPublic)
    const request = {
      ...rest,
      ...rawBody,
      method,
      path: pathname,
      params: { ...matched, ...given.params },
      query,
      headers,
    }
    return { route, isPublic, request }
  }
  throw new RouteNotFoundError()
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const parts = path.split('/')
  if (wanted.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    const name = wanted[index] ?? ''
    if (name.startsWith(':')) params[name.slice(1)] = decodeURIComponent(part)
    else if (name !== part) return undefined
  }
  return params
}
