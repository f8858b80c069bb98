import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'allow_list.own_address': '会将您拒之门外：缺少您当前的地址 {ip}',
  'allow_list.entry': '{entry} 不是地址或网段',
  'plugin.title': '登录认证',
  'plugin.description': '登录、令牌与会话',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  factor_code_invalid: '验证码错误、已使用或已过期',
  code_invalid: '验证码错误、已使用或已过期',
  reset_link_invalid: '链接已使用或已过期',
  password_mismatch: '原密码错误',
  password_unchanged: '新密码不能与原密码相同',
  invalid_credentials: '账号或密码错误',
  token_expired: '访问令牌已过期，请刷新',
  token_invalid: '访问令牌无效',
  setup_token_invalid: '初始化链接已使用或已过期',
  token_revoked: '会话已结束',
  refresh_invalid: '刷新令牌无效',
  refresh_reused: '刷新令牌已被使用过',
  mfa_required: '请完成两步验证',
  ip_not_allowed: '不允许从该地址登录',
  actor_refused: '仅限用户本人操作',
  account_inactive: '账号未激活',
  channel_off: '暂不支持通过该方式发送消息',
  login_method_off: '该登录方式已关闭',
  password_change_required: '请先修改密码',
  second_factor_required: '请先启用两步验证',
  setup_done: '平台已有管理员',
  login_rate_limited: '登录过于频繁，请稍后再试',
  code_send_limited: '发送过于频繁，请稍后再试',
  account_locked: '密码错误次数过多，请稍后再试',
  maintenance: '平台维护中',
}
