import type { Route } from './route.ts'

/** Routes below a path, and the same below another, such as without `/admin`: the documentation calls these aliases of the first. */
export function withAlias(
  path: string,
  alias: string,
  routesBelow: (path: string) => readonly Route[],
): readonly Route[] {
  const aliases = routesBelow(alias).map((route) => ({ ...route, aliasOf: path + route.path.slice(alias.length) }))
  return [...routesBelow(path), ...aliases]
}
