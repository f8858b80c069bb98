import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '首次运行',
  'plugin.description': '为新平台创建管理员和演示租户，并提示访问地址',
}
