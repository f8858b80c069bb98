import type { ConfigGroupDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

const decided = { readonly: true, approval: 'sensitive' } as const

/** Where a tenant answers and where its files lie: shown here, decided elsewhere. */
export const tenantPlace: readonly ConfigGroupDeclaration[] = [
  {
    code: 'tenant_domain',
    name: texts.of('tenant_domain'),
    icon: 'link',
    sort: 165,
    scope: 'ALL_TENANTS',
    items: [
      {
        key: 'subdomain',
        type: 'STRING',
        name: texts.of('subdomain'),
        description: texts.of('subdomain.description'),
        default: '',
        public: true,
        readonly: true,
        rules: { pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' },
      },
    ],
  },
  {
    code: 'tenant_storage',
    name: texts.of('tenant_storage'),
    description: texts.of('tenant_storage.description'),
    icon: 'folder',
    sort: 170,
    scope: 'ALL_TENANTS',
    items: [
      { key: 'storage_profile', type: 'STRING', name: texts.of('storage_profile'), default: '', ...decided },
      {
        key: 'storage_driver',
        type: 'SELECT',
        name: texts.of('storage_driver'),
        description: texts.of('storage_driver.description'),
        default: '',
        dynamicOptions: true,
        optionsSource: 'storage.drivers',
        options: [],
        ...decided,
      },
      { key: 'storage_config', type: 'JSON', name: texts.of('storage_config'), default: {}, ...decided },
      {
        key: 'storage_base_url',
        type: 'STRING',
        name: texts.of('storage_base_url'),
        default: '',
        rules: { pattern: '^https?://\\S{1,2000}$' },
        ...decided,
      },
    ],
  },
]
