import { PlatformModel, TenantModel, type ConfigType } from '#kernel'
import type { ConfigScope } from './contract.ts'

/** A configuration group, as its plugin declared it last. */
export class SystemConfigGroup extends PlatformModel {
  static override tableName = 'system_config_groups'
  declare id: number
  declare code: string
  declare parentCode: string | null
  declare scope: ConfigScope
  declare owner: string
  declare name: object
  declare sort: number
}

/** What is known of a configuration item, as its plugin declared it last. */
export class SystemConfig extends PlatformModel {
  static override tableName = 'system_configs'
  static override jsonAttributes = ['declaration']
  declare id: number
  declare groupId: number
  declare scope: ConfigScope
  declare key: string
  declare type: ConfigType
  declare declaration: object
}

/** A value as JSON text, once per item and tenant; tenant 0 is the platform. */
export class SystemConfigValue extends TenantModel {
  static override tableName = 'system_config_values'
  declare id: string
  declare configId: number
  declare value: string
  declare updatedAt: Date
  declare updatedBy: number | null
}

/** How far a request for a change is: approved once its values hold, applied once everything that follows has happened. */
export type ChangeState = 'pending' | 'approved' | 'rejected' | 'cancelled' | 'applied' | 'superseded'

/** Values as they would be stored, by key, secrets sealed; null is none of its own. */
export type StoredTexts = Readonly<Record<string, string | null>>

/** A change that a tenant's user asked for and the platform decides on. */
export class ChangeRequest extends TenantModel {
  static override tableName = 'system_config_change_requests'
  static override jsonAttributes = ['before', 'after']
  declare id: number
  declare groupCode: string
  declare before: StoredTexts
  declare after: StoredTexts
  declare state: ChangeState
  declare reason: string
  declare requestedBy: number | null
  declare requestedAt: Date
  declare decidedBy: number | null
  declare decidedAt: Date | null
  /** What of an approved one must still happen. */
  declare leftEffects: readonly string[] | null
}
