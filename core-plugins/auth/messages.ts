/** The plugin's texts in other languages than English, by reason. */
export const messages = {
  'zh-CN': {
    password_mismatch: '原密码错误',
    password_unchanged: '新密码不能与原密码相同',
    invalid_credentials: '账号或密码错误',
    token_expired: '访问令牌已过期，请刷新',
    token_invalid: '访问令牌无效',
    setup_token_invalid: '初始化链接已使用或已过期',
    token_revoked: '会话已结束',
    refresh_invalid: '刷新令牌无效',
    refresh_reused: '刷新令牌已被使用过',
    account_inactive: '账号未激活',
    login_method_off: '该登录方式已关闭',
    setup_done: '平台已有管理员',
    login_rate_limited: '登录过于频繁，请稍后再试',
    account_locked: '密码错误次数过多，请稍后再试',
  },
} as const
