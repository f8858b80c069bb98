import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '插件用量',
  'plugin.description': '插件在所有主机上的用量（按租户与小时统计）及其失败原因',
}
