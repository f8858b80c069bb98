import type { ConfigGroupDeclaration, Localised } from '#kernel'
import { brandColor } from './brand-color.ts'
import { localeOptions } from './locale-options.ts'
import { plainOption } from './plain-option.ts'
import { texts } from './texts/texts.ts'

const image = (key: string, name: Localised) => ({ key, type: 'IMAGE', name, default: '', public: true }) as const

/** What the platform is called, where it answers and whether it is being worked on. */
export const platformSite: readonly ConfigGroupDeclaration[] = [
  {
    code: 'platform_basic',
    name: texts.of('platform_basic'),
    description: texts.of('platform_basic.description'),
    icon: 'setting',
    sort: 10,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'site_name',
        type: 'STRING',
        name: texts.of('site_name'),
        default: 'AI Platform',
        required: true,
        public: true,
        rules: { max_length: 64 },
      },
      { key: 'site_description', type: 'TEXT', name: texts.of('site_description'), default: '', public: true },
      image('site_logo', texts.of('site_logo')),
      image('logo_dark', texts.of('logo_dark')),
      image('site_favicon', texts.of('site_favicon')),
      brandColor,
      {
        key: 'site_copyright',
        type: 'STRING',
        name: texts.of('site_copyright'),
        default: '',
        public: true,
      },
      { key: 'site_icp', type: 'STRING', name: texts.of('site_icp'), default: '', public: true },
      {
        key: 'default_locale',
        type: 'SELECT',
        name: texts.of('default_locale'),
        default: 'en',
        required: true,
        public: true,
        options: localeOptions,
      },
      {
        key: 'default_timezone',
        type: 'STRING',
        name: texts.of('default_timezone'),
        default: 'UTC',
        required: true,
        public: true,
        rules: { format: 'time-zone' },
      },
    ],
  },
  {
    code: 'platform_domain',
    name: texts.of('platform_domain'),
    description: texts.of('platform_domain.description'),
    icon: 'link',
    parent: 'platform_basic',
    sort: 20,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'platform_domains',
        type: 'TAG',
        name: texts.of('platform_domains'),
        default: ['localhost'],
        required: true,
        public: true,
      },
      {
        key: 'tenant_domain_suffix',
        type: 'STRING',
        name: texts.of('tenant_domain_suffix'),
        default: 'localhost',
        public: true,
      },
      {
        key: 'domain_verification_prefix',
        type: 'STRING',
        name: texts.of('domain_verification_prefix'),
        default: '_tenant-verify',
        public: true,
        rules: { pattern: '^_?[a-z0-9-]{1,40}$' },
      },
      {
        key: 'tenant_cname_target',
        type: 'STRING',
        name: texts.of('tenant_cname_target'),
        description: texts.of('tenant_cname_target.description'),
        default: '',
      },
      { key: 'server_ips', type: 'TAG', name: texts.of('server_ips'), default: [] },
      {
        key: 'trusted_proxies',
        type: 'TAG',
        name: texts.of('trusted_proxies'),
        description: texts.of('trusted_proxies.description'),
        default: [],
        rules: { pattern: '^[0-9a-fA-F.:]{2,45}(/[0-9]{1,3})?$' },
      },
      { key: 'force_https', type: 'BOOLEAN', name: texts.of('force_https'), default: false },
    ],
  },
  {
    code: 'platform_maintenance',
    name: texts.of('platform_maintenance'),
    icon: 'tools',
    sort: 30,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'maintenance_mode',
        type: 'BOOLEAN',
        name: texts.of('maintenance_mode'),
        default: false,
        public: true,
      },
      {
        key: 'maintenance_message',
        type: 'TEXT',
        name: texts.of('maintenance_message'),
        default: '',
        public: true,
        rules: { max_length: 500 },
        ui: { visibleWhen: { maintenance_mode: true } },
      },
    ],
  },
  {
    code: 'platform_tenant_policy',
    name: texts.of('platform_tenant_policy'),
    icon: 'office-building',
    sort: 60,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'tenant_config_approval',
        type: 'SELECT',
        name: texts.of('tenant_config_approval'),
        default: 'off',
        required: true,
        options: ['off', 'sensitive', 'all'].map(plainOption),
      },
      { key: 'tenant_locked_keys', type: 'TAG', name: texts.of('tenant_locked_keys'), default: [] },
      {
        key: 'tenant_self_signup',
        type: 'BOOLEAN',
        name: texts.of('tenant_self_signup'),
        default: false,
      },
    ],
  },
]
