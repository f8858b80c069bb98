import type { GuardedFetch } from '#kernel'
import type { ConfigOwner, StorageDriver } from '../../contract.ts'
import { S3Client } from './s3-client.ts'
import { s3Schema, s3Texts } from './s3-schema.ts'
import { readS3Settings } from './s3-settings.ts'
import { createS3Volume } from './s3-volume.ts'

/** Keeps objects with a service that speaks S3, reached through the client of whoever owns the settings. */
export function createS3Driver(clients: Readonly<Record<ConfigOwner, GuardedFetch>>): StorageDriver {
  return {
    name: 's3',
    label: { default: 'S3 and what speaks like it', 'zh-CN': 'S3 兼容存储' },
    description: {
      default: 'Amazon S3, MinIO, Cloudflare R2, Alibaba OSS, Tencent COS, Qiniu and others',
      'zh-CN': 'Amazon S3、MinIO、Cloudflare R2、阿里云 OSS、腾讯云 COS、七牛等',
    },
    capabilities: { presign: true, range: true, multipart: true, imageProcess: true },
    schema: s3Schema,
    texts: { 'zh-CN': s3Texts },
    example: {
      provider: 'minio',
      endpoint: 'https://minio.example.com',
      region: 'us-east-1',
      bucket: 'stoa',
      access_key_id: 'AKIAEXAMPLE',
      secret_access_key: '',
      force_path_style: true,
      prefix: 'files',
      base_url: '',
      acl: '',
      presign_ttl: 3600,
      image_process: 'none',
    },
    placeOf(config) {
      const { endpoint, bucket, prefix } = readS3Settings(config)
      return `${endpoint.origin}/${bucket}/${prefix}`
    },
    open: (config, owner) => createS3Volume(new S3Client(readS3Settings(config), clients[owner])),
  }
}
