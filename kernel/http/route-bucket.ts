import Router, { type Layer } from '@koa/router'
import { ParamsInvalidError } from '../errors.ts'
import type { Endpoint } from './endpoint.ts'
import { compareSpecificity, routerPath } from './path-shape.ts'

/** A route that fits a request, with what stands at its path's parameters. */
export interface Match {
  readonly endpoint: Endpoint
  readonly params: Record<string, string>
}

/** The routes that share one static prefix; never changed, but replaced by another. */
export class RouteBucket {
  readonly #router = new Router({ strict: true, sensitive: true })
  readonly #endpoints = new Map<unknown, Endpoint>()

  constructor(endpoints: readonly Endpoint[]) {
    const ordered = [...endpoints].sort((a, b) => compareSpecificity(a.route.path, b.route.path))
    for (const endpoint of ordered) {
      const { method, path } = endpoint.route
      const layer = this.#router.register(routerPath(path), [method.toUpperCase()], () => undefined)
      this.#endpoints.set(layer, endpoint)
    }
  }

  /** The most specific route for a method and path; else the methods of routes for the path are added to `allowed`. */
  match(method: string, path: string, allowed: Set<string>): Match | undefined {
    const matched = this.#router.match(path, method)
    const layer = matched.pathAndMethod[0]
    const endpoint = this.#endpoints.get(layer)
    if (layer && endpoint) return { endpoint, params: paramsOf(layer, path) }
    for (const { methods } of matched.path) for (const name of methods) allowed.add(name)
    return undefined
  }
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
