import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import {
  createSortableId,
  ownerOf,
  presentPage,
  whatIsGiven,
  type FieldError,
  type Page,
  type Principal,
  type TenantResolver,
} from '#kernel'
import type { PluginRouters } from '../../plugin-offers/contract.ts'
import type { Audit, Writer } from '../../access/contract.ts'
import { presentOwner, rowsFor, type Owned } from '../area.ts'
import { AiRouteNotFoundError } from '../errors.ts'
import { faultOf, refuseFaults } from '../faults.ts'
import type { Strategy } from '../routing/settings.ts'
import { RouteRow } from '../tables.ts'
import { routeFaults } from './route-rules.ts'
import { blankRoute, routeColumns, type NewRoute, type RouteChange } from './route-wish.ts'

/** What routes need of the rest. */
interface RouteParts {
  readonly db: Knex
  readonly audit: Audit
  readonly tenants: Pick<TenantResolver, 'byId'>
  readonly routers: Pick<PluginRouters, 'list'>
}

/** Who writes, and which version they have seen. */
interface RouteWriter extends Writer {
  requireMatch(etag: string): void
}

/** Which routes a list shows. */
interface RouteFilter {
  readonly enabled?: boolean
  readonly strategy?: Strategy
  readonly scope?: Owned
  readonly tenant_id?: number
}

/** Where requests for a model go, as administrators have it. */
export class RouteService {
  readonly #parts: RouteParts

  constructor(parts: RouteParts) {
    this.#parts = parts
  }

  async list(reader: Principal, page: Page, { scope, ...given }: RouteFilter) {
    const { enabled, strategy, tenant_id } = given
    const filter = whatIsGiven<boolean | number | string>({ enabled, strategy, tenant_id })
    const query = rowsFor(RouteRow, reader, this.#parts.db, scope).where(filter)
    if (page.pattern !== undefined) void query.whereILike('name', page.pattern)
    const { results, total } = await query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
    return presentPage(page, total, results.map(presentRoute))
  }

  async create(wish: NewRoute, writer: Writer): Promise<PresentedRoute> {
    const { db, tenants } = this.#parts
    const tenantId = await ownerOf(writer.principal, wish.tenant_id, { tenants, refuse: refuseFaults })
    return db.transaction(async (trx) => {
      const columns = { ...blankRoute, ...routeColumns(wish), id: createSortableId('rt'), tenantId }
      await lockRoutes(trx)
      refuseFaults([...(await routeFaults(columns as RouteRow, trx)), ...this.#routerFaults(columns.router, tenantId)])
      const row = await RouteRow.of(tenantId, trx).insert(columns).returning('*')
      const after = presentRoute(row)
      await this.#record('created', writer, row.id, { after }, trx)
      return after
    })
  }

  async update(id: string, wish: RouteChange, writer: RouteWriter): Promise<PresentedRoute> {
    return this.#parts.db.transaction(async (trx) => {
      await lockRoutes(trx)
      const row = await this.#find(writer.principal, id, trx)
      writer.requireMatch(String(row.version))
      const columns = routeColumns(wish)
      if (isDeepStrictEqual({ ...row, ...columns }, { ...row })) return presentRoute(row)
      // One that was there before stays, whether its plugin runs at the moment or not.
      const router = isDeepStrictEqual(columns.router, row.router) ? null : columns.router
      refuseFaults([
        ...(await routeFaults({ ...row, ...columns, tenantId: row.tenantId }, trx)),
        ...this.#routerFaults(router, row.tenantId),
      ])
      const change = { ...columns, version: row.version + 1, updatedAt: new Date() }
      const after = presentRoute(await RouteRow.of(row.tenantId, trx).patchAndFetchById(id, change))
      await this.#record('updated', writer, id, { before: presentRoute(row), after }, trx)
      return after
    })
  }

  async delete(id: string, writer: Writer): Promise<void> {
    await this.#parts.db.transaction(async (trx) => {
      const row = await this.#find(writer.principal, id, trx)
      await RouteRow.of(row.tenantId, trx).deleteById(id)
      await this.#record('deleted', writer, id, { before: presentRoute(row) }, trx)
    })
  }

  #routerFaults(router: RouteRow['router'] | undefined, tenantId: number): readonly FieldError[] {
    if (!router) return []
    const isOffered = this.#parts.routers.list(tenantId).some(({ plugin, code }) => {
      return plugin === router.plugin && (router.router ?? code) === code
    })
    return isOffered ? [] : [faultOf('router.plugin', 'plugin_router', 'No plugin that runs here brings this router')]
  }

  async #find(reader: Principal, id: string, trx: Knex.Transaction): Promise<RouteRow> {
    const row = await rowsFor(RouteRow, reader, trx).findById(id).forUpdate()
    if (!row) throw new AiRouteNotFoundError()
    return row
  }

  async #record(
    what: string,
    { principal, state }: Writer,
    id: string,
    change: { before?: PresentedRoute; after?: PresentedRoute },
    trx: Knex.Transaction,
  ): Promise<void> {
    const about = { tenantId: principal.tenantId, actor: principal, traceId: state.traceId, target: `ai_route:${id}` }
    await this.#parts.audit.record({ ...about, ...change, action: `ai_route.${what}` }, trx)
  }
}

/** A route as administrators see it. */
function presentRoute(row: RouteRow) {
  const { id, name, enabled, priority, match, strategy, targets, fallbacks, cache, router, version } = row
  return {
    ...{
      id,
      name,
      enabled,
      priority,
      match,
      strategy,
      targets,
      fallbacks,
      cache,
      router,
      ...presentOwner(row),
      version,
    },
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }
}

/** What `presentRoute` makes. */
type PresentedRoute = ReturnType<typeof presentRoute>

/** Two writes at once could close a circle that neither sees. */
async function lockRoutes(trx: Knex.Transaction): Promise<void> {
  await trx.raw('lock table ai_routes in share row exclusive mode')
}
