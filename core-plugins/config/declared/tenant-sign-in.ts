import type { ConfigGroupDeclaration } from '#kernel'
import { numberItem, switchItem } from './items.ts'
import { passwordComplexity } from './password-complexity.ts'
import { texts } from './texts/texts.ts'

const shown = { public: true } as const
const sensitive = { approval: 'sensitive' } as const
const guarded = { ...shown, ...sensitive }

/** How a tenant's users sign in. */
export const tenantSignIn: readonly ConfigGroupDeclaration[] = [
  {
    code: 'tenant_login',
    name: texts.of('tenant_login'),
    icon: 'user',
    sort: 120,
    scope: 'ALL_TENANTS',
    items: [
      { key: 'login_bg', type: 'IMAGE', name: texts.of('login_bg'), default: '', public: true },
      { key: 'login_title', type: 'STRING', name: texts.of('login_title'), default: '', public: true },
      { key: 'login_subtitle', type: 'STRING', name: texts.of('login_subtitle'), default: '', public: true },
      {
        key: 'login_methods',
        type: 'MULTI_SELECT',
        name: texts.of('login_methods'),
        default: ['password', 'email_code'],
        required: true,
        public: true,
        ...sensitive,
        options: [
          { label: texts.of('login_methods.password'), value: 'password' },
          { label: texts.of('login_methods.email_code'), value: 'email_code' },
          { label: texts.of('login_methods.sms_code'), value: 'sms_code' },
        ],
      },
      switchItem('allow_registration', texts.of('allow_registration'), false, guarded),
      switchItem('registration_approval', texts.of('registration_approval'), false, guarded),
      {
        key: 'default_role',
        type: 'SELECT',
        name: texts.of('default_role'),
        default: 'tenant_user',
        required: true,
        ...sensitive,
        dynamicOptions: true,
        optionsSource: 'access.roles',
        options: [{ label: texts.of('default_role.tenant_user'), value: 'tenant_user' }],
      },
      {
        key: 'allowed_email_domains',
        type: 'TAG',
        name: texts.of('allowed_email_domains'),
        default: [],
        ...sensitive,
      },
    ],
  },
  {
    code: 'tenant_security',
    name: texts.of('tenant_security'),
    icon: 'lock',
    sort: 130,
    scope: 'ALL_TENANTS',
    items: [
      numberItem('login_max_attempts', texts.of('login_max_attempts'), [5, 1, 20], guarded),
      numberItem('login_lockout_minutes', texts.of('login_lockout_minutes'), [15, 1, 1440], guarded),
      numberItem('password_min_length', texts.of('password_min_length'), [8, 8, 64], guarded),
      { ...passwordComplexity, ...sensitive },
      numberItem('password_expiry_days', texts.of('password_expiry_days'), [0, 0, 3650], sensitive),
      numberItem('session_timeout', texts.of('session_timeout'), [10_080, 5, 43_200], guarded),
      numberItem('session_max_devices', texts.of('session_max_devices'), [10, 0, 100], sensitive),
      switchItem('mfa_required', texts.of('mfa_required'), false, sensitive),
    ],
  },
]
