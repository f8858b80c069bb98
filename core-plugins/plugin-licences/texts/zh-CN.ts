import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '插件许可证',
  'plugin.description': '插件的许可证与试用、适用的租户以及到期时间',
  'notice.licence_ends_14': '{plugin} 的许可证将在 14 天内到期',
  'notice.licence_ends_3': '{plugin} 的许可证将在 3 天内到期',
  'notice.licence_ends_0': '{plugin} 的许可证将在一天内到期',
  'notice.licence_grace': '{plugin} 的许可证已到期，目前处于宽限期，功能暂不受影响',
  'notice.licence_over': '{plugin} 的许可证已失效：数据仅可读取，其余功能已停用',
  'notice.licence_end': '到期时间：{end} UTC',
  'notice.licence_tenants': '租户：{tenants}',
  'notice.licence_end_tenants': '到期时间：{end} UTC；租户：{tenants}',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  plugin_license_not_found: '没有可吊销的许可证',
  plugin_license_seats: '许可证允许 {seats} 个租户使用，而使用者将有 {wanted} 个',
  plugin_licensed: '已有或曾有许可证，不能再开始试用',
  plugin_trial_used: '试用只能开始一次，之前已经试用过',
  plugin_trial_not_offered: '该插件不提供试用',
  'The licence is not for this tenant': '该许可证不适用于此租户',
  'The plugin is assigned to no tenant: name whom it is for': '该插件未分配给任何租户：请指明使用者',
}
