import type { Knex } from 'knex'
import { RouteRow, type ModelRow, type StoredTarget } from '../tables.ts'
import { unpinned } from './route-rules.ts'

/** The names of the routes that would miss a model: those of its tenant, and of the platform for its own. */
export async function routesNaming(
  { tenantId, name, aliases }: Pick<ModelRow, 'tenantId' | 'name' | 'aliases'>,
  db: Knex,
): Promise<readonly string[]> {
  const names = new Set([name, ...aliases])
  const routes = await RouteRow.acrossTenants(db).modify((query) => {
    if (tenantId !== 0) void query.whereIn('tenant_id', [0, tenantId])
  })
  return routes.filter((route) => namesOf(route).some((each) => names.has(unpinned(each)))).map((route) => route.name)
}

function namesOf({ targets, fallbacks }: RouteRow): readonly string[] {
  return [...targets, ...fallbacks].map(({ model }: Pick<StoredTarget, 'model'>) => model)
}
