import type { GuardedFetch } from '#kernel'
import type { ConfigOwner, StorageDriver } from '../../contract.ts'
import { memberTexts } from '../member-texts.ts'
import { S3Client } from './s3-client.ts'
import { s3Schema } from './s3-schema.ts'
import { readS3Settings } from './s3-settings.ts'
import { createS3Volume } from './s3-volume.ts'
import { texts } from '../../texts/texts.ts'

/** Keeps objects with a service that speaks S3, reached through the client of whoever owns the settings. */
export function createS3Driver(clients: Readonly<Record<ConfigOwner, GuardedFetch>>): StorageDriver {
  return {
    name: 's3',
    label: texts.of('s3.label'),
    description: texts.of('s3.description'),
    capabilities: { presign: true, range: true, multipart: true, imageProcess: true },
    schema: s3Schema,
    texts: memberTexts('s3', s3Schema.properties),
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
