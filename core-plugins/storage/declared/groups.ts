import type { ConfigGroupDeclaration } from '#kernel'
import { texts } from '../texts/texts.ts'

const numbers = (start: number, min: number, max: number) =>
  ({ type: 'NUMBER', default: start, required: true, rules: { min, max } }) as const
const drivers = [
  { label: texts.of('local.label'), value: 'local' },
  { label: texts.of('s3'), value: 's3' },
] as const
const extensions = 'jpg jpeg png gif webp pdf txt md csv json doc docx xls xlsx ppt pptx zip mp3 wav mp4'.split(' ')

/** Where files go, and what may be uploaded. */
export const groups: readonly ConfigGroupDeclaration[] = [
  {
    code: 'platform_storage',
    name: texts.of('platform_storage'),
    icon: 'folder',
    sort: 80,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'storage_driver',
        type: 'SELECT',
        name: texts.of('storage_driver'),
        default: 'local',
        required: true,
        public: true,
        dynamicOptions: true,
        optionsSource: 'storage.drivers',
        options: drivers,
      },
      {
        key: 'storage_config',
        type: 'JSON',
        name: texts.of('storage_config'),
        description: texts.of('storage_config.description'),
        default: {},
      },
      {
        key: 'storage_base_url',
        type: 'STRING',
        name: texts.of('storage_base_url'),
        default: '',
        public: true,
        rules: { pattern: '^https?://\\S{1,2000}$' },
      },
      {
        key: 'chunk_size_mb',
        name: texts.of('chunk_size_mb'),
        ...numbers(5, 1, 100),
        public: true,
        ui: { unit: 'MB' },
      },
      {
        key: 'max_file_size_mb',
        name: texts.of('max_file_size_mb'),
        ...numbers(50, 1, 10_240),
        public: true,
        ui: { unit: 'MB' },
      },
      {
        key: 'allowed_extensions',
        type: 'TAG',
        name: texts.of('allowed_extensions'),
        default: extensions,
        public: true,
        rules: { pattern: '^[a-z0-9]{1,16}$' },
      },
      {
        key: 'signed_url_ttl_seconds',
        name: texts.of('signed_url_ttl_seconds'),
        ...numbers(3600, 60, 604_800),
        ui: { unit: 's' },
      },
      {
        key: 'user_quota_mb',
        name: texts.of('user_quota_mb'),
        ...numbers(1024, 0, 1_048_576),
        ui: { unit: 'MB' },
      },
      {
        key: 'tenant_quota_mb',
        name: texts.of('tenant_quota_mb'),
        description: texts.of('tenant_quota_mb.description'),
        ...numbers(0, 0, 1_073_741_824),
        ui: { unit: 'MB' },
      },
    ],
  },
  {
    code: 'platform_tenant_storage',
    name: texts.of('platform_tenant_storage'),
    icon: 'folder-opened',
    parent: 'platform_storage',
    sort: 90,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'tenant_storage_mode',
        type: 'SELECT',
        name: texts.of('tenant_storage_mode'),
        default: 'allow_list',
        required: true,
        options: [
          { label: texts.of('tenant_storage_mode.allow_list'), value: 'allow_list' },
          { label: texts.of('tenant_storage_mode.self_managed'), value: 'self_managed' },
        ],
      },
      {
        key: 'tenant_storage_allowed_drivers',
        type: 'MULTI_SELECT',
        name: texts.of('tenant_storage_allowed_drivers'),
        default: ['local', 's3'],
        dynamicOptions: true,
        optionsSource: 'storage.drivers',
        options: drivers,
      },
      {
        key: 'tenant_storage_profiles',
        type: 'JSON',
        name: texts.of('tenant_storage_profiles'),
        description: texts.of('tenant_storage_profiles.description'),
        default: [],
      },
      {
        key: 'tenant_storage_profile_secrets',
        type: 'JSON',
        name: texts.of('tenant_storage_profile_secrets'),
        description: texts.of('tenant_storage_profile_secrets.description'),
        default: {},
      },
    ],
  },
]
