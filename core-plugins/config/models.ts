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
