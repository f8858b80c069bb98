import type { NeutralMessage } from '../wire/neutral.ts'
import type { AgentModels } from '../contract.ts'
import type { Relay } from '../relay/relay.ts'

/** A model as a list of models shows it. */
export interface ListedModel {
  readonly name: string
  readonly aliases: readonly string[]
  readonly displayName: string
  readonly createdAt: Date
  /** Absent of an agent. */
  readonly kind?: 'chat' | 'embedding'
}

/** What a key opens, for whom. */
export interface SurfaceKey {
  readonly id: string
  readonly tenantId: number
  readonly userId: number | undefined
  readonly scopes: readonly string[]
  /** Names of models, `*` for any part; empty is all. */
  readonly models: readonly string[]
  /** What its calls are tagged with. */
  readonly tags?: readonly string[]
  /** Codes of agents, likewise. */
  readonly agents: readonly string[]
}

/** Tells whose a key is; throws 401/4019. */
export interface SurfaceKeys {
  authenticate(key: string, ip: string): Promise<SurfaceKey>
}

/** Keeps what was said, for clients that go on with it. */
export interface KeptResponses {
  find(id: string, key: SurfaceKey): Promise<readonly NeutralMessage[] | undefined>
  keep(id: string, key: SurfaceKey, messages: readonly NeutralMessage[]): Promise<void>
}

/** What the surfaces stand on. */
export interface SurfaceParts {
  readonly relay: Pick<Relay, 'start' | 'embed' | 'demandOpen' | 'demandModel'>
  readonly keys: SurfaceKeys
  readonly responses: KeptResponses
  /** The models that a tenant may use. */
  readonly modelsFor: (tenantId: number) => readonly ListedModel[]
  /** Agents as models, while somebody provides them. */
  readonly agents: () => AgentModels | undefined
}
