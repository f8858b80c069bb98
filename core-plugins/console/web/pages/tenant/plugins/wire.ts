import type { TenantPluginBody, TenantPluginRowBody } from '../../../../../plugins/wire.ts'

/** A plugin of the tenant as lists show one. */
export type TenantPluginRow = TenantPluginRowBody
/** The same with all there is to know. */
export type TenantPluginDetail = TenantPluginBody
/** A right that a plugin has, and whether the tenant refuses it. */
export type TenantRight = TenantPluginBody['rights'][number]
