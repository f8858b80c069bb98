/** The errors of this plugin in other languages. */
export const messages = {
  'zh-CN': {
    health_failed: '平台的某个部分没有响应',
  },
} as const
