import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '任务队列',
  'plugin.description': '不随请求或主机结束而丢失的后台任务',
  'notice.job_hosts_died': '运行它的主机已停止，或未能写下结果',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  job_not_found: '没有这个任务',
  job_not_ended: '任务状态为 {state}：只有已放弃或已取消的任务才能重试',
  job_ended: '任务已结束（{state}）',
}
