import type { ConfigGroupDeclaration } from '#kernel'
import { numberItem, switchItem } from './items.ts'
import { localised } from './localised.ts'
import { passwordComplexity } from './password-complexity.ts'

const shown = { public: true } as const
const sensitive = { approval: 'sensitive' } as const
const guarded = { ...shown, ...sensitive }

/** How a tenant's users sign in. */
export const tenantSignIn: readonly ConfigGroupDeclaration[] = [
  {
    code: 'tenant_login',
    name: localised('Sign-in', '登录'),
    icon: 'user',
    sort: 120,
    scope: 'ALL_TENANTS',
    items: [
      { key: 'login_bg', type: 'IMAGE', name: localised('Background', '登录背景'), default: '', public: true },
      { key: 'login_title', type: 'STRING', name: localised('Title', '登录标题'), default: '', public: true },
      { key: 'login_subtitle', type: 'STRING', name: localised('Subtitle', '登录副标题'), default: '', public: true },
      {
        key: 'login_methods',
        type: 'MULTI_SELECT',
        name: localised('Ways to sign in', '登录方式'),
        default: ['password', 'email_code'],
        required: true,
        public: true,
        ...sensitive,
        options: [
          { label: localised('Password', '密码'), value: 'password' },
          { label: localised('Code by e-mail', '邮箱验证码'), value: 'email_code' },
          { label: localised('Code by SMS', '短信验证码'), value: 'sms_code' },
        ],
      },
      switchItem('allow_registration', ['Users may register', '允许注册'], false, guarded),
      switchItem('registration_approval', ['Registrations wait for approval', '注册需要审批'], false, guarded),
      {
        key: 'default_role',
        type: 'SELECT',
        name: localised('Role of new users', '默认角色'),
        default: 'tenant_user',
        required: true,
        ...sensitive,
        dynamicOptions: true,
        optionsSource: 'access.roles',
        options: [{ label: localised('User', '普通用户'), value: 'tenant_user' }],
      },
      {
        key: 'allowed_email_domains',
        type: 'TAG',
        name: localised('E-mail domains', '允许的邮箱域名'),
        default: [],
        ...sensitive,
      },
    ],
  },
  {
    code: 'tenant_security',
    name: localised('Security', '安全'),
    icon: 'lock',
    sort: 130,
    scope: 'ALL_TENANTS',
    items: [
      numberItem('login_max_attempts', ['Failed logins before a lock', '登录失败次数上限'], [5, 1, 20], guarded),
      numberItem('login_lockout_minutes', ['Minutes of a lock', '锁定时长（分钟）'], [15, 1, 1440], guarded),
      numberItem('password_min_length', ['Shortest password', '密码最小长度'], [8, 8, 64], guarded),
      { ...passwordComplexity, ...sensitive },
      numberItem('password_expiry_days', ['Days until a password expires', '密码有效天数'], [0, 0, 3650], sensitive),
      numberItem('session_timeout', ['Idle minutes of a session', '会话闲置分钟数'], [10_080, 5, 43_200], guarded),
      numberItem('session_max_devices', ['Devices signed in at once', '同时登录设备数'], [10, 0, 100], sensitive),
      switchItem('mfa_required', ['Two-step verification is required', '必须两步验证'], false, sensitive),
    ],
  },
]
