/** The plugin's texts in other languages than English, by reason. */
export const messages = {
  'zh-CN': {
    preference_not_found: '没有偏好设置 {key}',
    preference_invalid: '部分偏好设置无效',
    preference_declaration_wrong: '偏好设置的声明有误：{fault}',
  },
} as const
