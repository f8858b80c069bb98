const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const complexity = { enum: ['none', 'letters_digits', 'mixed_case_digits', 'all_classes'] } as const
const storage = { type: 'object', description: 'Where files go and which are taken' } as const

/** What anybody may know of the platform: beside these whatever else of its settings is public. */
export const platformConfig = {
  type: 'object',
  required: [
    ...['site_name', 'site_logo', 'logo_dark', 'site_favicon', 'brand_color', 'site_copyright', 'site_icp', 'storage'],
    ...['password_min_length', 'password_complexity', 'maintenance_mode', 'maintenance_message'],
  ],
  properties: {
    ...{ site_name: text, site_logo: text, logo_dark: text, site_favicon: text, brand_color: text },
    ...{ site_copyright: text, site_icp: text, maintenance_mode: flag, maintenance_message: text },
    password_min_length: { type: 'integer' },
    password_complexity: complexity,
    storage,
  },
} as const

/** What anybody at the host of a tenant may know of it: beside these whatever else of its settings is public. */
export const tenantConfig = {
  type: 'object',
  required: [
    ...['tenant_id', 'tenant_code', 'tenant_name', 'subdomain', 'subdomain_url', 'storage', 'brand_color', 'icp'],
    ...['logo_url', 'logo_dark_url', 'favicon_url', 'footer_copyright', 'login_bg', 'login_title', 'login_subtitle'],
    ...['login_methods', 'allow_registration', 'password_min_length', 'password_complexity'],
    ...['privacy_policy_url', 'terms_url', 'privacy_policy_internal', 'terms_internal'],
  ],
  properties: {
    tenant_id: { type: 'integer' },
    ...{ tenant_code: text, tenant_name: text, subdomain: text, subdomain_url: text, brand_color: text, icp: text },
    ...{ logo_url: text, logo_dark_url: text, favicon_url: text, footer_copyright: text },
    ...{ login_bg: text, login_title: text, login_subtitle: text },
    login_methods: { type: 'array', items: { enum: ['password', 'email_code', 'sms_code'] } },
    allow_registration: flag,
    password_min_length: { type: 'integer' },
    password_complexity: complexity,
    ...{ privacy_policy_url: text, terms_url: text },
    privacy_policy_internal: { ...flag, description: 'Whether the platform shows one that the tenant wrote' },
    terms_internal: { ...flag, description: 'Likewise' },
    storage,
  },
} as const
