import type { Knex } from 'knex'
import { mergeSettings, usualSettings } from '../gateway/settings.ts'
import { noMarkup, readMarkup } from '../markups/markup.ts'
import type { ProviderSecrets } from '../providers/secrets.ts'
import {
  GatewayRow,
  MarkupRow,
  ModelRow,
  ModelVersionRow,
  ProviderRow,
  ProviderSecretRow,
  RouteRow,
  type StoredLimits,
} from '../tables.ts'
import type { Vendor } from '../wire/vendor.ts'
import { gatewayOf, timeoutsOf } from './gateway-of.ts'
import { ModelTable } from './model-table.ts'
import { RouteTable } from './route-table.ts'
import type { Catalogue, CatalogueProvider } from './types.ts'

/** What a catalogue is made with. */
export interface CatalogueParts {
  readonly db: Knex
  readonly secrets: Pick<ProviderSecrets, 'open'>
  /** What speaks to a provider; undefined where nothing does. */
  readonly vendorOf: (provider: ProviderRow) => Vendor | undefined
}

/** Reads everything at one moment. */
export async function loadCatalogue({ db, secrets, vendorOf }: CatalogueParts): Promise<Catalogue> {
  const [settings, providers, sealed, models, versions, routes, markups] = await db.transaction(
    async (trx) => [
      await GatewayRow.of(0, trx).findById(0),
      await ProviderRow.acrossTenants(trx).where({ status: 'enabled' }).whereNull('deleted_at'),
      await ProviderSecretRow.acrossTenants(trx),
      await ModelRow.acrossTenants(trx).whereNull('deleted_at'),
      await ModelVersionRow.acrossTenants(trx).orderBy('version'),
      await RouteRow.acrossTenants(trx).where({ enabled: true }),
      await MarkupRow.acrossTenants(trx),
    ],
    { isolationLevel: 'repeatable read', readOnly: true },
  )
  const merged = mergeSettings(usualSettings, settings?.settings ?? {})
  const gateway = gatewayOf(merged)
  const byProvider = Map.groupBy(sealed, ({ providerId }) => providerId)
  const known = new Map(
    providers.flatMap((row) => {
      const vendor = vendorOf(row)
      if (!vendor) return []
      return [[row.id, providerOf(row, vendor, openAll(byProvider.get(row.id) ?? [], secrets))] as const]
    }),
  )
  const table = new ModelTable(
    models,
    Map.groupBy(versions, ({ modelId }) => modelId),
  )
  const routing = new RouteTable(routes, table, gateway.defaultStrategy)
  const factors = new Map(markups.map(({ tenantId, factor }) => [tenantId, readMarkup(factor)]))
  return {
    gateway,
    markup: (tenantId) => factors.get(tenantId) ?? noMarkup,
    model(name, tenantId, pick) {
      const found = table.find(name, tenantId, pick)
      if (found || table.idOf(name, tenantId) !== undefined) return found
      const instead = routing.standIn(name, tenantId)
      return instead === undefined ? undefined : table.find(instead, tenantId, pick)
    },
    modelWith: (providerId, upstreamModel) => table.findUpstream(providerId, upstreamModel),
    modelsFor: (tenantId) => table.listFor(tenantId),
    tenants: () => table.tenants,
    canary: (modelId, version) => table.canary(modelId, version),
    provider: (id) => known.get(id),
    providers: () => [...known.values()],
    route: (facts) => routing.find(facts),
    routes: (tenantId) => routing.list(tenantId),
  }
}

function openAll(
  rows: readonly ProviderSecretRow[],
  secrets: Pick<ProviderSecrets, 'open'>,
): Readonly<Record<string, string>> | undefined {
  const opened: Record<string, string> = {}
  for (const row of rows) {
    const text = secrets.open(row)
    if (text === undefined) return undefined
    opened[row.field] = text
  }
  return opened
}

function providerOf(row: ProviderRow, vendor: Vendor, secrets: CatalogueProvider['secrets']): CatalogueProvider {
  const { id, tenantId, code, name, type, headers, baseUrl } = row
  return {
    ...{ id, tenantId, code, name, type, headers, vendor, secrets, baseUrl: baseUrl ?? '' },
    timeouts: timeoutsOf(row.timeouts),
    limits: limitsOf(row.limits),
  }
}

function limitsOf({ rpm, tpm, max_concurrency: maxConcurrency }: StoredLimits): CatalogueProvider['limits'] {
  return { rpm, tpm, maxConcurrency }
}
