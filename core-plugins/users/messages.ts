/** The plugin's texts in other languages than English, by reason. */
export const messages = {
  'zh-CN': {
    duplicate: '该 {field} 已被其他用户使用',
    last_holder: '必须至少保留一名有效的 {role}',
    password_policy: '密码过于简单',
    overloaded: '当前登录人数过多，请稍后重试',
  },
} as const
