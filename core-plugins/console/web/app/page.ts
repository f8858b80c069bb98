import type { RouteComponent, RouteMeta, RouteRecordRaw } from 'vue-router'

type Load = () => Promise<RouteComponent>

/** A page that needs a right: its address, what it needs, how it is called, and where it and its texts are. */
export function page(
  path: string,
  meta: RouteMeta,
  load: Load,
  props?: Readonly<Record<string, unknown>>,
): RouteRecordRaw {
  return { path, component: load, meta, ...(props && { props: () => props }) }
}
