import { between, type ExpectedGroup, type ExpectedItem } from './settings-config-catalogue.ts'

/** The groups of tenants. */
export const tenantGroups: readonly ExpectedGroup[] = [
  [
    'tenant_basic',
    null,
    [
      ...['logo_url', 'favicon_url', 'logo_dark_url'].map((key): ExpectedItem => [key, 'IMAGE', '', 'P']),
      ['brand_color', 'COLOR', '', 'P'],
      ...['footer_copyright', 'icp'].map((key): ExpectedItem => [key, 'STRING', '', 'P']),
      ['locale', 'SELECT', '', 'P'],
      ['timezone', 'STRING', '', 'P'],
    ],
  ],
  [
    'tenant_login',
    null,
    [
      ['login_bg', 'IMAGE', '', 'P'],
      ...['login_title', 'login_subtitle'].map((key): ExpectedItem => [key, 'STRING', '', 'P']),
      ['login_methods', 'MULTI_SELECT', ['password', 'email_code'], 'PR'],
      ...['allow_registration', 'registration_approval'].map((key): ExpectedItem => [key, 'BOOLEAN', false, 'P']),
      ['default_role', 'SELECT', 'tenant_user', 'D'],
      ['allowed_email_domains', 'TAG', []],
    ],
  ],
  [
    'tenant_security',
    null,
    [
      ['login_max_attempts', 'NUMBER', 5, 'P', between(1, 20)],
      ['login_lockout_minutes', 'NUMBER', 15, 'P', between(1, 1440)],
      ['password_min_length', 'NUMBER', 8, 'P', between(8, 64)],
      ['password_complexity', 'SELECT', 'none', 'P'],
      ['password_expiry_days', 'NUMBER', 0],
      ['session_timeout', 'NUMBER', 10_080, 'P'],
      ['session_max_devices', 'NUMBER', 10],
      ['mfa_required', 'BOOLEAN', false],
    ],
  ],
  [
    'tenant_captcha',
    'tenant_security',
    [
      ...['captcha_enabled', 'user_login_captcha_enabled', 'user_registration_captcha_enabled'].map(
        (key): ExpectedItem => [key, 'BOOLEAN', true, 'P'],
      ),
      ['captcha_enable_threshold', 'NUMBER', 3, 'P'],
      ['user_login_captcha_enable_threshold', 'NUMBER', 3, 'P'],
      ['captcha_provider', 'SELECT', '', 'PD'],
      ['captcha_plugin', 'STRING', '', 'P'],
      ['captcha_difficulty', 'SELECT', '', 'P'],
    ],
  ],
  [
    'tenant_feature',
    null,
    [
      ...['allow_profile_edit', 'email_notification', 'api_access', 'file_upload'].map((key): ExpectedItem => [
        key,
        'BOOLEAN',
        true,
        'P',
      ]),
      ['sms_notification', 'BOOLEAN', false, 'P'],
      ['ai_access', 'BOOLEAN', true],
    ],
  ],
  [
    'tenant_legal',
    null,
    [
      ...['privacy_policy_url', 'terms_url'].map((key): ExpectedItem => [key, 'STRING', '', 'P']),
      ...['privacy_policy', 'terms'].map((key): ExpectedItem => [key, 'HTML', '']),
    ],
  ],
  ['tenant_domain', null, [['subdomain', 'STRING', '', 'P', { pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' }]]],
  [
    'tenant_storage',
    null,
    [
      ['storage_profile', 'STRING', ''],
      ['storage_driver', 'SELECT', '', 'D'],
      ['storage_config', 'JSON', {}],
      ['storage_base_url', 'STRING', ''],
    ],
  ],
]
