/** Texts of this plugin's errors in other languages; English stands in the errors themselves. */
export const messages = {
  'zh-CN': {
    job_not_found: '没有这个任务',
    job_not_ended: '任务状态为 {state}：只有已放弃或已取消的任务才能重试',
    job_ended: '任务已结束（{state}）',
  },
} as const
