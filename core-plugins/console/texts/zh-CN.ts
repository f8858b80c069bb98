import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '控制台',
  'plugin.description': '平台的网页界面，供管理员、租户和用户使用',
  admin_api: 'API',
  'preference.getting_started': '控制台入门',
  'preference.tables': '表格的列',
  'preference.views': '列表的已存视图',
  'preference.dashboard': '仪表盘的卡片',
  'preference.recent': '最近打开的页面',
  'preference.open_pages': '已打开页面栏',
  'preference.shortcuts': '单键快捷键',
  admin_dashboard: '仪表盘',
  tenant_dashboard: '仪表盘',
}
