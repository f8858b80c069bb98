/** Texts of this plugin's errors in other languages; English stands in the errors themselves. */
export const messages = {
  'zh-CN': {
    plugin_schedule_not_found: '该插件没有这个定时任务',
    plugin_schedule_not_planned: '没有租户在使用定时任务 {schedule}',
    plugin_schedule_running: '定时任务 {schedule} 正在运行',
  },
} as const
