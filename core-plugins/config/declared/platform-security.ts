import type { ConfigGroupDeclaration } from '#kernel'
import { numberItem, switchItem } from './items.ts'
import { passwordComplexity } from './password-complexity.ts'
import { texts } from './texts/texts.ts'

const shown = { public: true } as const

/** How platform staff sign in. */
export const platformSecurity: readonly ConfigGroupDeclaration[] = [
  {
    code: 'platform_security',
    name: texts.of('platform_security'),
    icon: 'lock',
    sort: 40,
    scope: 'ADMIN_ONLY',
    items: [
      numberItem('login_max_attempts', texts.of('login_max_attempts'), [5, 1, 20], shown),
      numberItem('login_lockout_minutes', texts.of('login_lockout_minutes'), [15, 1, 1440], shown),
      numberItem('password_min_length', texts.of('password_min_length'), [12, 8, 64], shown),
      passwordComplexity,
      numberItem('password_expiry_days', texts.of('password_expiry_days'), [0, 0, 3650], shown),
      numberItem('session_timeout_minutes', texts.of('session_timeout_minutes'), [1440, 5, 43_200], shown),
      numberItem('session_max_devices', texts.of('session_max_devices'), [5, 0, 100], shown),
      numberItem('session_absolute_days', texts.of('session_absolute_days'), [30, 1, 365]),
      numberItem('access_token_minutes', texts.of('access_token_minutes'), [15, 1, 120]),
      switchItem('mfa_required', texts.of('mfa_required'), false),
      {
        key: 'admin_ip_allowlist',
        type: 'TAG',
        name: texts.of('admin_ip_allowlist'),
        default: [],
        rules: { pattern: '^[0-9a-fA-F.:]{2,45}(/[0-9]{1,3})?$' },
      },
    ],
  },
]
