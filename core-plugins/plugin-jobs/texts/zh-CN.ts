import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '插件后台任务',
  'plugin.description': '在后台逐步执行插件加入队列的任务',
  'notice.job_too_long': '各步骤合计用时超过 {minutes} 分钟',
  'notice.job_cancelled': '任务已被取消',
  'notice.job_closed': '插件已有一周未在该租户运行',
  'notice.job_gone': '当前运行的版本没有这个任务',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  plugin_jobs_full: '每个租户最多有 {most} 个插件任务等待执行',
}
