import { TenantModel } from '#kernel'

/** Why a hook is paused: somebody did, its server wants nothing more, it failed too often, nobody may see its events. */
export type PausedFor = 'asked' | 'gone' | 'failing' | 'no_reader'

/** By member of an event's `data`: the values that it must have one of. */
export type EventFilter = Readonly<Record<string, readonly (string | number | boolean)[]>>

/** Where events go. */
export class HookRow extends TenantModel {
  static override tableName = 'webhooks'
  static override jsonAttributes = ['events', 'filter']

  declare id: string
  /** Whose own it is; null is the tenant's. */
  declare ownerId: number | null
  declare name: string
  /** Sealed. */
  declare url: string
  declare host: string
  declare events: readonly string[]
  declare filter: EventFilter
  declare state: 'active' | 'paused'
  declare pausedFor: PausedFor | null
  /** Attempts that failed since one succeeded. */
  declare failures: number
  declare failingSince: Date | null
  declare seenBy: number
  declare createdAt: Date
  declare updatedAt: Date
}

/** What signs; bound to the host that it was made for. */
export class SecretRow extends TenantModel {
  static override tableName = 'webhook_secrets'

  declare id: string
  declare webhookId: string
  declare host: string
  declare sealed: string
  declare createdAt: Date
  /** Null is the one that goes on. */
  declare expiresAt: Date | null
}

/** One try to deliver. */
export interface Attempt {
  readonly at: string
  /** Of the answer, where one came. */
  readonly status: number | null
  /** Why none came, or what the answer was no success of. */
  readonly error: string | null
  readonly duration_ms: number
}

/** An event on its way to a hook, or what became of it. */
export class DeliveryRow extends TenantModel {
  static override tableName = 'webhook_deliveries'
  static override jsonAttributes = ['data', 'attempts']

  declare id: string
  declare webhookId: string
  declare event: string
  declare occurredAt: Date
  declare data: Readonly<Record<string, unknown>>
  /** Failed is given up; skipped was not tried, because the hook is paused or nobody may see the event. */
  declare state: 'waiting' | 'delivered' | 'failed' | 'skipped'
  /** Since it was last asked for. */
  declare tries: number
  declare attempts: readonly Attempt[]
  declare createdAt: Date
  declare nextAt: Date | null
  declare endedAt: Date | null
}
