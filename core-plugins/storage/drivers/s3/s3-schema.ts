import { english } from '../../texts/en.ts'

/** As IMGPROXY_KEY and IMGPROXY_SALT have them. */
const hexadecimal = { type: 'string', maxLength: 500, pattern: '^([0-9a-fA-F]{2})*$' } as const
const imgproxy = { image_process: 'imgproxy' } as const
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
      title: english['s3.provider'],
      description: english['s3.provider.description'],
      default: 'other',
      'x-order': 10,
    },
    endpoint: {
      type: 'string',
      title: english['s3.endpoint'],
      description: english['s3.endpoint.description'],
      default: '',
      maxLength: 300,
      // No path, query or user name: only where to go.
      pattern: '^(https?://[^\\s/?#@\\\\]+/?)?$',
      'x-order': 20,
    },
    region: {
      type: 'string',
      title: english['s3.region'],
      default: 'us-east-1',
      pattern: '^[a-z0-9-]{1,63}$',
      'x-order': 30,
    },
    bucket: {
      type: 'string',
      title: english['s3.bucket'],
      pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
      'x-order': 40,
    },
    access_key_id: {
      type: 'string',
      title: english['s3.access_key_id'],
      pattern: '^[\\w.+=@:-]{1,200}$',
      'x-order': 50,
    },
    secret_access_key: { ...secret, title: english['s3.secret_access_key'], 'x-secret': true, 'x-order': 60 },
    force_path_style: {
      type: 'boolean',
      title: english['s3.force_path_style'],
      description: english['s3.force_path_style.description'],
      default: true,
      'x-order': 70,
    },
    prefix: {
      type: 'string',
      title: english['s3.prefix'],
      description: english['s3.prefix.description'],
      default: '',
      maxLength: 200,
      pattern: '^([A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*/?)?$',
      'x-order': 80,
    },
    base_url: {
      type: 'string',
      title: english['s3.base_url'],
      description: english['s3.base_url.description'],
      default: '',
      pattern: '^(https?://\\S{1,2000})?$',
      'x-order': 90,
    },
    acl: {
      enum: ['', 'private', 'public-read', 'bucket-owner-full-control'],
      title: english['s3.acl'],
      description: english['s3.acl.description'],
      default: '',
      'x-order': 100,
    },
    presign_ttl: {
      type: 'integer',
      title: english['s3.presign_ttl'],
      default: 3600,
      minimum: 60,
      maximum: 604_800,
      'x-order': 110,
    },
    image_process: {
      enum: ['none', 'oss', 'cos', 'qiniu', 'imgproxy'],
      title: english['s3.image_process'],
      default: 'none',
      'x-order': 120,
    },
    imgproxy_url: {
      type: 'string',
      title: english['s3.imgproxy_url'],
      description: english['s3.imgproxy_url.description'],
      default: '',
      maxLength: 300,
      pattern: '^(https?://[^\\s?#@\\\\]+)?$',
      'x-order': 130,
      'x-visible-when': imgproxy,
    },
    imgproxy_key: {
      ...hexadecimal,
      title: english['s3.imgproxy_key'],
      'x-secret': true,
      'x-order': 140,
      'x-visible-when': imgproxy,
    },
    imgproxy_salt_key: {
      ...hexadecimal,
      title: english['s3.imgproxy_salt_key'],
      'x-secret': true,
      'x-order': 150,
      'x-visible-when': imgproxy,
    },
  },
  if: { required: ['provider'], properties: { provider: { const: 'aws' } } },
  else: { required: ['endpoint'], properties: { endpoint: { minLength: 1 } } },
} as const
