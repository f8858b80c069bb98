import type * as whole from '../catalogue/types.ts'

/** A model as it is called: one version of it, which stays as it is for the whole call. */
export type CalledModel = whole.CatalogueModel

/** A provider as it is called. */
export type CalledProvider = Omit<whole.CatalogueProvider, 'name' | 'type'>

/** A rule on where requests for a model go. */
export type Route = whole.CatalogueRoute

/** The gateway's settings, as far as calls go by them. */
export type GatewaySettings = Omit<
  whole.CatalogueGateway,
  'retentionDays' | 'payloads' | 'redacts' | 'hasSurfaces' | 'hasAgents'
>

/** Waits in milliseconds. */
export type Timeouts = GatewaySettings['timeouts']

/** What calls need of models, providers and routes as they stand at this moment, in memory. */
export interface Catalogue extends Pick<whole.Catalogue, 'model' | 'route' | 'routes' | 'tenants' | 'markup'> {
  readonly gateway: GatewaySettings
  /** Undefined where there is none that is enabled. */
  provider(id: string): CalledProvider | undefined
  /** Those that a tenant may call, by name. */
  modelsFor(tenantId: number): readonly Omit<whole.ModelInfo, 'aliases' | 'createdAt'>[]
}
