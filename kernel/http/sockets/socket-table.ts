import { routeTaken } from '../../programming-errors.ts'
import type { SocketRoute } from './socket-route.ts'

/** Every path at which a WebSocket opens. */
export class SocketTable {
  readonly #routes = new Map<string, { readonly route: SocketRoute; readonly plugin: string }>()

  /** Opens a plugin's paths together until the result is disposed. */
  register(plugin: string, routes: readonly SocketRoute[]): Disposable {
    for (const { path } of routes) {
      const owner = this.#routes.get(path)
      if (owner) throw routeTaken(`WS ${path}`, owner.plugin, plugin)
    }
    for (const route of routes) this.#routes.set(route.path, { route, plugin })
    return {
      [Symbol.dispose]: () => {
        for (const { path } of routes) this.#routes.delete(path)
      },
    }
  }

  find(path: string): SocketRoute | undefined {
    return this.#routes.get(path)?.route
  }

  /** `WS /path` of each. */
  get names(): readonly string[] {
    return [...this.#routes.keys()].sort().map((path) => `WS ${path}`)
  }
}
