import Router, { type Layer } from '@koa/router'
import { ParamsInvalidError } from '../errors.ts'
import type { Endpoint } from './endpoint.ts'
import { compareSpecificity, routerPath } from './path-shape.ts'

/** A route that fits a request, with what stands at its path's parameters. */
export interface Match {
  readonly endpoint: Endpoint
  readonly params: Record<string, string>
}

interface Routes {
  readonly router: Router
  readonly endpoints: ReadonlyMap<unknown, Endpoint>
}

/** The routes that share one static prefix; never changed, but replaced by another. */
export class RouteBucket {
  readonly endpoints: ReadonlySet<Endpoint>
  #routes: Routes | undefined

  constructor(endpoints: ReadonlySet<Endpoint>) {
    this.endpoints = endpoints
  }

  /** The most specific route for a method and path; else the methods of routes for the path are added to `allowed`. */
  match(method: string, path: string, allowed: Set<string>): Match | undefined {
    // Made for the first request: while a platform starts, one plugin after the other replaces the same buckets.
    const { router, endpoints } = (this.#routes ??= routesOf(this.endpoints))
    const matched = router.match(path, method)
    const layer = matched.pathAndMethod[0]
    const endpoint = endpoints.get(layer)
    if (layer && endpoint) return { endpoint, params: paramsOf(layer, path) }
    for (const { methods } of matched.path) for (const name of methods) allowed.add(name)
    return undefined
  }
}

function routesOf(endpoints: ReadonlySet<Endpoint>): Routes {
  const router = new Router({ strict: true, sensitive: true })
  const byLayer = new Map<unknown, Endpoint>()
  for (const endpoint of [...endpoints].sort((a, b) => compareSpecificity(a.route.path, b.route.path))) {
    const { method, path } = endpoint.route
    byLayer.set(
      router.register(routerPath(path), [method.toUpperCase()], () => undefined),
      endpoint,
    )
  }
  return { router, endpoints: byLayer }
}

function paramsOf(layer: Layer, path: string): Record<string, string> {
  const params: Record<string, string> = {}
  if (layer.paramNames.length === 0) return params
  for (const [index, text] of layer.captures(path).entries()) {
    const name = layer.paramNames[index]?.name
    if (name !== undefined) params[String(name)] = decode(String(name), text)
  }
  return params
}

function decode(field: string, text: string): string {
  try {
    const value = decodeURIComponent(text)
    if (!value.includes('\0')) return value
  } catch {
    // Reported below together with the other kind of text that no parameter may hold.
  }
  throw new ParamsInvalidError({
    errors: [{ field, rule: 'encoding', message: 'is not properly encoded' }],
  })
}
