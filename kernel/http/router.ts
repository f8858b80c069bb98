import type { PermissionRegistry } from '../permission.ts'
import { badPath, routeTaken, undeclaredPermission } from '../programming-errors.ts'
import type { Endpoint } from './endpoint.ts'
import { isRoutePath, pathShape, staticPrefix } from './path-shape.ts'
import { RouteBucket, type Match } from './route-bucket.ts'
import { routeName } from './route-name.ts'
import type { Route } from './route.ts'

/** What the table says to a method and path. */
type Lookup = Match | { readonly allowed: ReadonlySet<string> }

/** Turns a plugin's route into what answers requests. */
type CompileEndpoint = (plugin: { readonly name: string }, route: Route) => Endpoint

/** Every open route, in buckets by static prefix, so that a plugin more or less touches its own buckets alone. */
export class RouteTable {
  readonly #permissions: PermissionRegistry
  readonly #compile: CompileEndpoint
  readonly #owned = new Map<string, Endpoint>()
  readonly #open = new Set<Route>()
  readonly #buckets = new Map<string, RouteBucket>()
  readonly #standIns = new WeakMap<Route, Endpoint>()
  #deepest = 0
  #sorted: readonly Endpoint[] | undefined = undefined

  constructor(permissions: PermissionRegistry, compile: CompileEndpoint) {
    this.#permissions = permissions
    this.#compile = compile
  }

  /** Opens a plugin's routes together until the result is disposed. */
  register(plugin: { readonly name: string }, routes: readonly Route[]): Disposable {
    const added = new Map<string, Endpoint>()
    for (const route of routes) {
      if (!isRoutePath(route.path)) throw badPath(routeName(route))
      const shape = routeShape(route)
      const owner = this.#owned.get(shape) ?? added.get(shape)
      if (owner) throw routeTaken(routeName(route), owner.plugin, plugin.name)
      const undeclared = permissionsOf(route).find((name) => !this.#permissions.find(name))
      if (undeclared !== undefined) throw undeclaredPermission(undeclared, routeName(route))
      added.set(shape, this.#compile(plugin, route))
    }
    for (const [shape, endpoint] of added) this.#owned.set(shape, endpoint)
    for (const { route } of added.values()) this.#open.add(route)
    this.#change(added, (endpoints, endpoint) => endpoints.add(endpoint))
    return {
      [Symbol.dispose]: () => {
        for (const shape of added.keys()) this.#owned.delete(shape)
        for (const { route } of added.values()) this.#open.delete(route)
        this.#change(added, (endpoints, endpoint) => endpoints.delete(endpoint))
        added.clear()
      },
    }
  }

  /** The route for a method and path, static segments before parameters; else the methods the path knows. */
  find(method: string, path: string): Lookup {
    const allowed = new Set<string>()
    for (const prefix of this.#prefixes(path)) {
      const match = this.#buckets.get(prefix)?.match(method, path, allowed)
      if (match) return match
    }
    return { allowed }
  }

  /** Whether a route can be asked for at the moment. */
  isOpen(route: Route): boolean {
    return this.#open.has(route)
  }

  /** A route that is in no table, made ready once; for what stands in the place of another. */
  ready(route: Route): Endpoint {
    const known = this.#standIns.get(route) ?? this.#compile({ name: 'kernel' }, route)
    this.#standIns.set(route, known)
    return known
  }

  /** `METHOD /path` of every open route. */
  get names(): readonly string[] {
    return this.endpoints.map(({ route }) => routeName(route))
  }

  /** Every open route, by path; the same array until the set changes. */
  get endpoints(): readonly Endpoint[] {
    return (this.#sorted ??= [...this.#owned].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, endpoint]) => endpoint))
  }

  /** A path's leading segments, the longest first; no deeper than any bucket, so that a path of slashes costs nothing. */
  #prefixes(path: string): readonly string[] {
    const prefixes = ['']
    let end = 0
    for (let depth = 0; depth < this.#deepest && end < path.length; depth += 1) {
      const slash = path.indexOf('/', end + 1)
      end = slash === -1 ? path.length : slash
      prefixes.push(path.slice(0, end))
    }
    return prefixes.reverse()
  }

  #change(
    changed: ReadonlyMap<string, Endpoint>,
    change: (endpoints: Set<Endpoint>, endpoint: Endpoint) => void,
  ): void {
    this.#sorted = undefined
    const touched = new Map<string, Set<Endpoint>>()
    for (const endpoint of changed.values()) {
      const prefix = staticPrefix(endpoint.route.path)
      const endpoints = touched.get(prefix) ?? new Set(this.#buckets.get(prefix)?.endpoints)
      change(endpoints, endpoint)
      touched.set(prefix, endpoints)
    }
    for (const [prefix, endpoints] of touched) {
      this.#deepest = Math.max(this.#deepest, prefix.split('/').length - 1)
      if (endpoints.size === 0) this.#buckets.delete(prefix)
      else this.#buckets.set(prefix, new RouteBucket(endpoints))
    }
  }
}

function routeShape(route: Route): string {
  return `${pathShape(route.path)} ${route.method}`
}

function permissionsOf({ permission }: Route): readonly string[] {
  if (permission === undefined) return []
  return typeof permission === 'string' ? [permission] : [permission.platform, permission.tenant]
}
