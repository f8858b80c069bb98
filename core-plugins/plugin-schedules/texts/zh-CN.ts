import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '插件定时任务',
  'plugin.description': '按计划运行插件的任务，所有主机合计只运行一次',
  'notice.run_hosts_died': '运行结束前，其主机已停止',
  'notice.run_cancelled': '运行已被取消',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  plugin_schedule_not_found: '该插件没有这个定时任务',
  plugin_schedule_not_planned: '没有租户在使用定时任务 {schedule}',
  plugin_schedule_running: '定时任务 {schedule} 正在运行',
}

/** What its permissions let one do, by the sentence in English. */
export const permissions = {
  'Refresh the schedules of plugins': '刷新插件的计划任务',
}
