import type { ConfigGroupDeclaration } from '#kernel'
import { localised, plainOption } from './localised.ts'

const image = (key: string, english: string, chinese: string) =>
  ({ key, type: 'IMAGE', name: localised(english, chinese), default: '', public: true }) as const

/** What the platform is called, where it answers and whether it is being worked on. */
export const platformSite: readonly ConfigGroupDeclaration[] = [
  {
    code: 'platform_basic',
    name: localised('Site', '站点'),
    description: localised('Name, logo and language of the platform', '平台的名称、标志与语言'),
    icon: 'setting',
    sort: 10,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'site_name',
        type: 'STRING',
        name: localised('Site name', '站点名称'),
        default: 'AI Platform',
        required: true,
        public: true,
        rules: { max_length: 64 },
      },
      { key: 'site_description', type: 'TEXT', name: localised('Description', '站点描述'), default: '', public: true },
      image('site_logo', 'Logo', '站点标志'),
      image('logo_dark', 'Logo on dark ground', '深色标志'),
      image('site_favicon', 'Favicon', '网站图标'),
      {
        key: 'site_copyright',
        type: 'STRING',
        name: localised('Copyright line', '版权信息'),
        default: '',
        public: true,
      },
      { key: 'site_icp', type: 'STRING', name: localised('ICP number', 'ICP 备案号'), default: '', public: true },
      {
        key: 'default_locale',
        type: 'SELECT',
        name: localised('Language', '默认语言'),
        default: 'en',
        required: true,
        public: true,
        options: [
          { label: localised('English', '英语'), value: 'en' },
          { label: localised('Chinese (simplified)', '简体中文'), value: 'zh-CN' },
        ],
      },
      {
        key: 'default_timezone',
        type: 'STRING',
        name: localised('Time zone', '默认时区'),
        default: 'UTC',
        required: true,
        public: true,
        rules: { format: 'time-zone' },
      },
    ],
  },
  {
    code: 'platform_domain',
    name: localised('Domains', '域名'),
    description: localised('Where the platform and its tenants answer', '平台与租户的访问域名'),
    icon: 'link',
    parent: 'platform_basic',
    sort: 20,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'platform_domains',
        type: 'TAG',
        name: localised('Platform domains', '平台域名'),
        default: ['localhost'],
        required: true,
        public: true,
      },
      {
        key: 'tenant_domain_suffix',
        type: 'STRING',
        name: localised('Suffix of tenants’ subdomains', '租户子域名后缀'),
        default: 'localhost',
        public: true,
      },
      {
        key: 'domain_verification_prefix',
        type: 'STRING',
        name: localised('Prefix of the verification record', '域名验证记录前缀'),
        default: '_tenant-verify',
        public: true,
        rules: { pattern: '^_?[a-z0-9-]{1,40}$' },
      },
      {
        key: 'tenant_cname_target',
        type: 'STRING',
        name: localised('CNAME target of custom domains', '自定义域名的 CNAME 目标'),
        description: localised(
          'Empty means tenants. and the first platform domain',
          '留空则为 tenants. 加第一个平台域名',
        ),
        default: '',
      },
      { key: 'server_ips', type: 'TAG', name: localised('Addresses of the servers', '服务器地址'), default: [] },
      {
        key: 'trusted_proxies',
        type: 'TAG',
        name: localised('Trusted proxies', '受信任的代理'),
        description: localised(
          'Addresses or networks whose X-Forwarded headers are believed',
          '信任其 X-Forwarded 头的地址或网段',
        ),
        default: [],
        rules: { pattern: '^[0-9a-fA-F.:]{2,45}(/[0-9]{1,3})?$' },
      },
      { key: 'force_https', type: 'BOOLEAN', name: localised('Force HTTPS', '强制 HTTPS'), default: false },
    ],
  },
  {
    code: 'platform_maintenance',
    name: localised('Maintenance', '维护'),
    icon: 'tools',
    sort: 30,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'maintenance_mode',
        type: 'BOOLEAN',
        name: localised('Maintenance mode', '维护模式'),
        default: false,
        public: true,
      },
      {
        key: 'maintenance_message',
        type: 'TEXT',
        name: localised('Message', '维护提示'),
        default: '',
        public: true,
        rules: { max_length: 500 },
        ui: { visibleWhen: { maintenance_mode: true } },
      },
    ],
  },
  {
    code: 'platform_tenant_policy',
    name: localised('Policy for tenants', '租户策略'),
    icon: 'office-building',
    sort: 60,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'tenant_config_approval',
        type: 'SELECT',
        name: localised('Approval of tenants’ changes', '租户配置变更审批'),
        default: 'off',
        required: true,
        options: ['off', 'sensitive', 'all'].map(plainOption),
      },
      { key: 'tenant_locked_keys', type: 'TAG', name: localised('Locked keys', '锁定的配置项'), default: [] },
      {
        key: 'tenant_self_signup',
        type: 'BOOLEAN',
        name: localised('Tenants may sign up themselves', '允许租户自助注册'),
        default: false,
      },
    ],
  },
]
