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

/** What its permissions let one do, by the sentence in English. */
export const permissions = {
  'See the jobs of the platform and of all tenants, and how far they are': '查看平台和所有租户的任务及其进度',
  'Have a job that was given up or cancelled tried again': '重试已放弃或已取消的任务',
  'Cancel a job that has not ended': '取消尚未结束的任务',
}
