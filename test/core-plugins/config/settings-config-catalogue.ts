/** An item of the catalogue: key, type, default, P in the public configuration, R required, the bounds or pattern. */
export type ExpectedItem = readonly [key: string, type: string, start: unknown, flags?: string, rules?: object]
/** A group of the catalogue below its parent. */
export type ExpectedGroup = readonly [code: string, parent: string | null, items: readonly ExpectedItem[]]

/** The bounds of a number. */
export const between = (min: number, max: number) => ({ min, max })
const extensions = 'jpg jpeg png gif webp pdf txt md csv json doc docx xls xlsx ppt pptx zip mp3 wav mp4'.split(' ')

/** The groups of the platform. */
export const platformGroups: readonly ExpectedGroup[] = [
  [
    'platform_basic',
    null,
    [
      ['site_name', 'STRING', 'AI Platform', 'PR', { max_length: 64 }],
      ...['site_description'].map((key): ExpectedItem => [key, 'TEXT', '', 'P']),
      ...['site_logo', 'logo_dark', 'site_favicon'].map((key): ExpectedItem => [key, 'IMAGE', '', 'P']),
      ['brand_color', 'COLOR', '', 'P'],
      ...['site_copyright', 'site_icp'].map((key): ExpectedItem => [key, 'STRING', '', 'P']),
      ['default_locale', 'SELECT', 'en', 'P'],
      ['default_timezone', 'STRING', 'UTC', 'P'],
    ],
  ],
  [
    'platform_domain',
    'platform_basic',
    [
      ['platform_domains', 'TAG', ['localhost'], 'PR'],
      ['tenant_domain_suffix', 'STRING', 'localhost', 'P'],
      ['domain_verification_prefix', 'STRING', '_tenant-verify', 'P', { pattern: '^_?[a-z0-9-]{1,40}$' }],
      ['tenant_cname_target', 'STRING', ''],
      ['server_ips', 'TAG', []],
      ['trusted_proxies', 'TAG', []],
      ['force_https', 'BOOLEAN', false],
    ],
  ],
  [
    'platform_maintenance',
    null,
    [
      ['maintenance_mode', 'BOOLEAN', false, 'P'],
      ['maintenance_message', 'TEXT', '', 'P', { max_length: 500 }],
    ],
  ],
  [
    'platform_security',
    null,
    [
      ['login_max_attempts', 'NUMBER', 5, 'P', between(1, 20)],
      ['login_lockout_minutes', 'NUMBER', 15, 'P', between(1, 1440)],
      ['password_min_length', 'NUMBER', 12, 'P', between(8, 64)],
      ['password_complexity', 'SELECT', 'none', 'P'],
      ['password_expiry_days', 'NUMBER', 0, 'P', between(0, 3650)],
      ['session_timeout_minutes', 'NUMBER', 1440, 'P', between(5, 43_200)],
      ['session_max_devices', 'NUMBER', 5, 'P', between(0, 100)],
      ['session_absolute_days', 'NUMBER', 30, '', between(1, 365)],
      ['access_token_minutes', 'NUMBER', 15, '', between(1, 120)],
      ['mfa_required', 'BOOLEAN', false],
      ['admin_ip_allowlist', 'TAG', []],
    ],
  ],
  [
    'platform_captcha',
    'platform_security',
    [
      ['login_captcha_enabled', 'BOOLEAN', true, 'P'],
      ['captcha_provider', 'SELECT', 'image', 'PD'],
      ['captcha_plugin', 'STRING', '', 'P'],
      ['captcha_difficulty', 'SELECT', 'medium', 'P'],
      ['captcha_enable_threshold_admin', 'NUMBER', 3, 'P', between(0, 20)],
      ['captcha_ttl_seconds', 'NUMBER', 120, '', between(30, 600)],
      ['captcha_challenge_limit', 'NUMBER', 30],
      ['captcha_verify_limit', 'NUMBER', 60],
    ],
  ],
  [
    'platform_storage',
    null,
    [
      ['storage_driver', 'SELECT', 'local', 'PD'],
      ['storage_config', 'JSON', {}],
      ['storage_base_url', 'STRING', '', 'P'],
      ['chunk_size_mb', 'NUMBER', 5, 'P', between(1, 100)],
      ['max_file_size_mb', 'NUMBER', 50, 'P', between(1, 10_240)],
      ['allowed_extensions', 'TAG', extensions, 'P'],
      ['signed_url_ttl_seconds', 'NUMBER', 3600, '', between(60, 604_800)],
      ['user_quota_mb', 'NUMBER', 1024],
      ['tenant_quota_mb', 'NUMBER', 0],
    ],
  ],
  [
    'platform_tenant_storage',
    'platform_storage',
    [
      ['tenant_storage_mode', 'SELECT', 'allow_list'],
      ['tenant_storage_allowed_drivers', 'MULTI_SELECT', ['local', 's3'], 'D'],
      ['tenant_storage_profiles', 'JSON', []],
    ],
  ],
  [
    'platform_image',
    'platform_storage',
    [
      ['image_processing_enabled', 'BOOLEAN', true],
      ['image_rate_limit', 'NUMBER', 60, '', between(1, 6000)],
      ['image_rate_window_seconds', 'NUMBER', 60],
      ['image_max_megapixels', 'NUMBER', 50, '', between(1, 200)],
      ['image_max_input_mb', 'NUMBER', 20],
      ['image_max_frames', 'NUMBER', 60],
      ['image_default_quality', 'NUMBER', 80, '', between(1, 100)],
      ['image_concurrency', 'NUMBER', 2, '', between(1, 16)],
      ['image_timeout_seconds', 'NUMBER', 10, '', between(1, 60)],
      ['image_cache_max_mb', 'NUMBER', 1024],
      ['image_presets', 'JSON', {}],
    ],
  ],
  [
    'platform_ssl',
    null,
    [
      ['ssl_enabled', 'BOOLEAN', false],
      ['ssl_mode', 'SELECT', 'off'],
      ['ssl_email', 'STRING', ''],
      ['ssl_certificate', 'TEXT', ''],
      ['ssl_private_key', 'PASSWORD', ''],
      ['ssl_domains', 'TAG', []],
      ['ssl_wildcard', 'BOOLEAN', false],
      ['ssl_force_redirect', 'BOOLEAN', false],
      ['ssl_auto_renew', 'BOOLEAN', true],
      ['ssl_dns_provider', 'SELECT', '', 'D'],
      ['ssl_dns_credentials', 'PASSWORD', ''],
    ],
  ],
  [
    'platform_mail',
    null,
    [
      ['mail_driver', 'SELECT', 'log'],
      ['smtp_host', 'STRING', ''],
      ['smtp_port', 'NUMBER', 587],
      ['smtp_security', 'SELECT', 'starttls'],
      ['smtp_user', 'STRING', ''],
      ['smtp_password', 'PASSWORD', ''],
      ['mail_from', 'STRING', ''],
    ],
  ],
  [
    'platform_sms',
    null,
    [
      ['sms_driver', 'SELECT', 'log'],
      ['sms_webhook_url', 'STRING', ''],
      ['sms_webhook_secret', 'PASSWORD', ''],
    ],
  ],
  [
    'platform_tenant_policy',
    null,
    [
      ['tenant_config_approval', 'SELECT', 'off'],
      ['tenant_locked_keys', 'TAG', []],
      ['tenant_self_signup', 'BOOLEAN', false],
    ],
  ],
  ['platform_audit', null, [['audit_retention_days', 'NUMBER', 180]]],
  [
    'platform_backup',
    null,
    [
      ['backup_enabled', 'BOOLEAN', false],
      ['backup_target', 'STRING', ''],
      ['backup_cron', 'STRING', '30 3 * * *', 'R'],
      ['backup_timezone', 'STRING', 'UTC', 'R'],
      ['backup_passphrase', 'PASSWORD', ''],
      ['backup_keep_days', 'NUMBER', 7, 'R', between(1, 366)],
      ['backup_keep_weeks', 'NUMBER', 4, 'R', between(0, 520)],
      ['backup_all_files', 'BOOLEAN', false],
      ...['backup_s3_endpoint', 'backup_s3_region', 'backup_s3_key_id'].map((key): ExpectedItem => [key, 'STRING', '']),
      ['backup_s3_secret', 'PASSWORD', ''],
    ],
  ],
]

/** Which values an item with fixed options takes. */
export const fixedOptions: Readonly<Record<string, readonly string[]>> = {
  default_locale: ['en', 'zh-CN'],
  captcha_difficulty: ['easy', 'medium', 'hard'],
  tenant_storage_mode: ['allow_list', 'self_managed'],
  ssl_mode: ['off', 'manual', 'acme_http01', 'acme_dns01'],
  mail_driver: ['log', 'smtp'],
  sms_driver: ['log', 'webhook'],
  tenant_config_approval: ['off', 'sensitive', 'all'],
  login_methods: ['password', 'email_code', 'sms_code'],
}
