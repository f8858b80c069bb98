const secret = { type: 'string', minLength: 1, maxLength: 500 } as const

/** What the driver may be told. */
export const s3Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  additionalProperties: false,
  required: ['bucket', 'access_key_id', 'secret_access_key'],
  properties: {
    provider: {
      enum: ['aws', 'minio', 'r2', 'oss', 'cos', 'qiniu', 'other'],
      title: 'Provider',
      description: 'Whose service it is',
      default: 'other',
      'x-order': 10,
    },
    endpoint: {
      type: 'string',
      title: 'Endpoint',
      description: 'Where the service answers; may be left empty for AWS',
      default: '',
      maxLength: 300,
      // No path, query or user name: only where to go.
      pattern: '^(https?://[^\\s/?#@\\\\]+/?)?$',
      'x-order': 20,
    },
    region: {
      type: 'string',
      title: 'Region',
      default: 'us-east-1',
      pattern: '^[a-z0-9-]{1,63}$',
      'x-order': 30,
    },
    bucket: {
      type: 'string',
      title: 'Bucket',
      pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
      'x-order': 40,
    },
    access_key_id: { type: 'string', title: 'Access key id', pattern: '^[\\w.+=@:-]{1,200}$', 'x-order': 50 },
    secret_access_key: { ...secret, title: 'Secret access key', 'x-secret': true, 'x-order': 60 },
    force_path_style: {
      type: 'boolean',
      title: 'Bucket in the path',
      description: 'Otherwise it is part of the host name, as OSS and COS want it',
      default: true,
      'x-order': 70,
    },
    prefix: {
      type: 'string',
      title: 'Prefix',
      description: 'Put before every name in the bucket',
      default: '',
      maxLength: 200,
      pattern: '^([A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*/?)?$',
      'x-order': 80,
    },
    base_url: {
      type: 'string',
      title: 'Base URL',
      description: 'Where the bucket can be read by everybody; empty when nowhere',
      default: '',
      pattern: '^(https?://\\S{1,2000})?$',
      'x-order': 90,
    },
    acl: {
      enum: ['', 'private', 'public-read', 'bucket-owner-full-control'],
      title: 'Access list of new objects',
      description: 'Empty for services without such lists',
      default: '',
      'x-order': 100,
    },
    presign_ttl: {
      type: 'integer',
      title: 'Life of a signed link, in seconds',
      default: 3600,
      minimum: 60,
      maximum: 604_800,
      'x-order': 110,
    },
    image_process: {
      enum: ['none', 'oss', 'cos', 'qiniu', 'imgproxy'],
      title: 'Image processing of the service',
      default: 'none',
      'x-order': 120,
    },
  },
  if: { required: ['provider'], properties: { provider: { const: 'aws' } } },
  else: { required: ['endpoint'], properties: { endpoint: { minLength: 1 } } },
} as const

/** Titles in Chinese. */
export const s3Texts = {
  provider: { title: '服务商' },
  endpoint: { title: '服务地址', description: '使用 AWS 时可留空' },
  region: { title: '区域' },
  bucket: { title: '存储桶' },
  access_key_id: { title: '访问密钥 ID' },
  secret_access_key: { title: '访问密钥' },
  force_path_style: { title: '路径风格', description: '否则存储桶作为域名的一部分，OSS 与 COS 需要如此' },
  prefix: { title: '前缀', description: '加在每个对象名之前' },
  base_url: { title: '访问地址', description: '存储桶可公开读取的地址，可留空' },
  acl: { title: '新对象的访问权限', description: '不支持访问权限的服务请留空' },
  presign_ttl: { title: '签名链接有效期（秒）' },
  image_process: { title: '服务商图片处理' },
} as const
