import type { ConfigGroupDeclaration } from '#kernel'

const numbers = (start: number, min: number, max: number) =>
  ({ type: 'NUMBER', default: start, required: true, rules: { min, max } }) as const
const drivers = [
  { label: { default: 'Local disk', 'zh-CN': '本地磁盘' }, value: 'local' },
  { label: { default: 'S3', 'zh-CN': 'S3' }, value: 's3' },
] as const
const extensions = 'jpg jpeg png gif webp pdf txt md csv json doc docx xls xlsx ppt pptx zip mp3 wav mp4'.split(' ')

/** Where files go, and what may be uploaded. */
export const groups: readonly ConfigGroupDeclaration[] = [
  {
    code: 'platform_storage',
    name: { default: 'Storage', 'zh-CN': '存储' },
    icon: 'folder',
    sort: 80,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'storage_driver',
        type: 'SELECT',
        name: { default: 'Driver', 'zh-CN': '存储驱动' },
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
        name: { default: 'Settings of the driver', 'zh-CN': '驱动配置' },
        description: {
          default: 'What the driver’s schema asks for; secrets in it are sealed',
          'zh-CN': '按驱动的配置结构填写，其中的密钥加密保存',
        },
        default: {},
      },
      {
        key: 'storage_base_url',
        type: 'STRING',
        name: { default: 'Base URL of files', 'zh-CN': '文件访问地址' },
        default: '',
        public: true,
        rules: { pattern: '^https?://\\S{1,2000}$' },
      },
      {
        key: 'chunk_size_mb',
        name: { default: 'Size of a chunk', 'zh-CN': '分片大小' },
        ...numbers(5, 1, 100),
        public: true,
        ui: { unit: 'MB' },
      },
      {
        key: 'max_file_size_mb',
        name: { default: 'Largest file', 'zh-CN': '文件大小上限' },
        ...numbers(50, 1, 10_240),
        public: true,
        ui: { unit: 'MB' },
      },
      {
        key: 'allowed_extensions',
        type: 'TAG',
        name: { default: 'Kinds of files', 'zh-CN': '允许的扩展名' },
        default: extensions,
        public: true,
        rules: { pattern: '^[a-z0-9]{1,16}$' },
      },
      {
        key: 'signed_url_ttl_seconds',
        name: { default: 'Life of a link', 'zh-CN': '签名链接有效期' },
        ...numbers(3600, 60, 604_800),
        ui: { unit: 's' },
      },
      {
        key: 'user_quota_mb',
        name: { default: 'Room of a user', 'zh-CN': '用户配额' },
        ...numbers(1024, 0, 1_048_576),
        ui: { unit: 'MB' },
      },
    ],
  },
  {
    code: 'platform_tenant_storage',
    name: { default: 'Storage of tenants', 'zh-CN': '租户存储' },
    icon: 'folder-opened',
    parent: 'platform_storage',
    sort: 90,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'tenant_storage_mode',
        type: 'SELECT',
        name: { default: 'Who chooses', 'zh-CN': '存储模式' },
        default: 'allow_list',
        required: true,
        options: [
          { label: { default: 'The platform allows', 'zh-CN': '平台白名单' }, value: 'allow_list' },
          { label: { default: 'Tenants bring their own', 'zh-CN': '租户自管' }, value: 'self_managed' },
        ],
      },
      {
        key: 'tenant_storage_allowed_drivers',
        type: 'MULTI_SELECT',
        name: { default: 'Drivers for tenants', 'zh-CN': '允许的存储驱动' },
        default: ['local', 's3'],
        dynamicOptions: true,
        optionsSource: 'storage.drivers',
        options: drivers,
      },
      {
        key: 'tenant_storage_profiles',
        type: 'JSON',
        name: { default: 'Profiles', 'zh-CN': '存储方案' },
        description: {
          default: 'What tenants may choose from: a list of {id, name, driver, config, base_url}, without secrets',
          'zh-CN': '租户可选的方案列表：{id, name, driver, config, base_url}，不含密钥',
        },
        default: [],
      },
      {
        key: 'tenant_storage_profile_secrets',
        type: 'JSON',
        name: { default: 'Secrets of profiles', 'zh-CN': '存储方案的密钥' },
        description: {
          default: 'Each under <profile>.<setting>, such as eu.secret_access_key',
          'zh-CN': '键为 <方案>.<配置项>，例如 eu.secret_access_key',
        },
        default: {},
      },
    ],
  },
]
