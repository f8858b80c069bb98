import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '系统',
  'plugin.description': '健康检查与接口描述',
  admin_health: '系统',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  health_failed: '平台的某个部分没有响应',
  host_starting: '此主机仍在启动',
}

/** What its permissions let one do, by the sentence in English. */
export const permissions = {
  'Read how the platform’s parts are': '查看平台各部分的状态',
}
