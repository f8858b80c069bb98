import type { ConfigGroupDeclaration } from '#kernel'
import { numberItem, switchItem } from './items.ts'
import { localised } from './localised.ts'
import { passwordComplexity } from './password-complexity.ts'

const shown = { public: true } as const

/** How platform staff sign in. */
export const platformSecurity: readonly ConfigGroupDeclaration[] = [
  {
    code: 'platform_security',
    name: localised('Security', '安全'),
    icon: 'lock',
    sort: 40,
    scope: 'ADMIN_ONLY',
    items: [
      numberItem('login_max_attempts', ['Failed logins before a lock', '登录失败次数上限'], [5, 1, 20], shown),
      numberItem('login_lockout_minutes', ['Minutes of a lock', '锁定时长（分钟）'], [15, 1, 1440], shown),
      numberItem('password_min_length', ['Shortest password', '密码最小长度'], [12, 8, 64], shown),
      passwordComplexity,
      numberItem('password_expiry_days', ['Days until a password expires', '密码有效天数'], [0, 0, 3650], shown),
      numberItem('session_timeout_minutes', ['Idle minutes of a session', '会话闲置分钟数'], [1440, 5, 43_200], shown),
      numberItem('session_max_devices', ['Devices signed in at once', '同时登录设备数'], [5, 0, 100], shown),
      numberItem('session_absolute_days', ['Longest session in days', '会话最长天数'], [30, 1, 365]),
      numberItem('access_token_minutes', ['Minutes of an access token', '访问令牌分钟数'], [15, 1, 120]),
      switchItem('mfa_required', ['Two-step verification is required', '必须两步验证'], false),
      {
        key: 'admin_ip_allowlist',
        type: 'TAG',
        name: localised('Addresses administrators may come from', '管理员 IP 白名单'),
        default: [],
        rules: { pattern: '^[0-9a-fA-F.:]{2,45}(/[0-9]{1,3})?$' },
      },
    ],
  },
]
