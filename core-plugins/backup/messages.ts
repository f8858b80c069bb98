/** Texts of this plugin's errors in other languages; English stands in the errors themselves. */
export const messages = {
  'zh-CN': {
    backup_running: '平台备份正在进行中',
    backup_no_target: '尚未设置备份的保存位置',
  },
} as const
