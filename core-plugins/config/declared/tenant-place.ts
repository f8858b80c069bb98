import type { ConfigGroupDeclaration } from '#kernel'
import { localised } from './localised.ts'

const decided = { readonly: true, approval: 'sensitive' } as const

/** Where a tenant answers and where its files lie: shown here, decided elsewhere. */
export const tenantPlace: readonly ConfigGroupDeclaration[] = [
  {
    code: 'tenant_domain',
    name: localised('Domain', '域名'),
    icon: 'link',
    sort: 165,
    scope: 'ALL_TENANTS',
    items: [
      {
        key: 'subdomain',
        type: 'STRING',
        name: localised('Subdomain', '子域名'),
        description: localised('The tenant’s code', '即租户编码'),
        default: '',
        public: true,
        readonly: true,
        rules: { pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' },
      },
    ],
  },
  {
    code: 'tenant_storage',
    name: localised('Storage', '存储'),
    description: localised('Chosen with the storage settings', '由存储设置选择'),
    icon: 'folder',
    sort: 170,
    scope: 'ALL_TENANTS',
    items: [
      { key: 'storage_profile', type: 'STRING', name: localised('Profile', '存储方案'), default: '', ...decided },
      {
        key: 'storage_driver',
        type: 'SELECT',
        name: localised('Driver', '存储驱动'),
        description: localised('Empty means the platform’s', '留空则使用平台设置'),
        default: '',
        dynamicOptions: true,
        optionsSource: 'storage.drivers',
        options: [],
        ...decided,
      },
      { key: 'storage_config', type: 'JSON', name: localised('Settings', '驱动配置'), default: {}, ...decided },
      {
        key: 'storage_base_url',
        type: 'STRING',
        name: localised('Base URL of files', '文件访问地址'),
        default: '',
        rules: { pattern: '^https?://\\S{1,2000}$' },
        ...decided,
      },
    ],
  },
]
