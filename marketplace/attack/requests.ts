import type { PluginManifest, TestAnswer, TestPlugin } from '#sandbox'

/** A request that a hostile caller could send. */
interface Hostile {
  readonly done: string
  readonly body: () => unknown
}

const hostile: readonly Hostile[] = [
  { done: 'no body', body: () => null },
  { done: 'a list', body: () => [1, 2, 3] },
  { done: 'a text', body: () => 'text' },
  { done: 'an object of strange keys', body: () => ({ constructor: { prototype: 1 }, toString: null, length: -1 }) },
  { done: 'a list nested 90 deep', body: () => Array.from({ length: 90 }).reduce((inner) => [inner], null as unknown) },
  { done: 'a text of 900 KB', body: () => ({ text: 'x'.repeat(900_000), name: 'x'.repeat(1_000) }) },
]
const query = { limit: '-1', page: 'NaN', id: "1' or '1'='1", cursor: '\u0000' }
const callsAtOnce = 60

/** What a route made of hostile requests. */
interface RouteTrial {
  readonly route: string
  readonly done: string
  readonly answer: TestAnswer
}

/** Sends hostile requests to every route; those it answers with 5xx are its author's to mend. */
export async function attackRoutes(plugin: TestPlugin, manifest: PluginManifest): Promise<readonly RouteTrial[]> {
  const { admin_routes = [], tenant_routes = [], public_routes = [] } = manifest
  const trials: RouteTrial[] = []
  const lists = [
    { routes: admin_routes, caller: { tenant: null } },
    { routes: tenant_routes, caller: {} },
    { routes: public_routes, caller: { user: null } },
  ]
  for (const { routes, caller } of lists) {
    for (const { method, path } of routes) {
      const route = `${method} ${path}`
      const address = `${method} ${path.replaceAll(/:[a-z0-9_]+/g, '%00')}`
      const bodies = method === 'GET' || method === 'DELETE' ? hostile.slice(0, 1) : hostile
      for (const { done, body } of bodies) {
        const answer = await plugin.request(address, { body: body() as never, query: query }, caller)
        trials.push({ route, done: bodies.length === 1 ? 'strange parameters' : done, answer })
      }
    }
  }
  return trials
}

/** Calls a handler of the trial many times at once; the answers, counted by code. */
export async function flood(plugin: TestPlugin, handler: string): Promise<ReadonlyMap<number, number>> {
  const answers = await Promise.all(Array.from({ length: callsAtOnce }, () => plugin.call(handler)))
  return answers.reduce((counts, { code }) => counts.set(code, (counts.get(code) ?? 0) + 1), new Map<number, number>())
}
