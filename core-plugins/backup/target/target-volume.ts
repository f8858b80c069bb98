import path from 'node:path'
import type { StorageVolume } from '../../storage/contract.ts'
import { BackupError } from '../backup-error.ts'
import { texts } from '../texts/texts.ts'
import type { OpenVolume } from '../volumes.ts'

/** What reaches a bucket beside its name. */
export interface BucketAccess {
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Opens `s3://bucket/prefix` or a folder, which is an absolute path. */
export function openTargetVolume(place: string, openVolume: OpenVolume, access: BucketAccess): StorageVolume {
  const [, bucket, prefix] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(place) ?? []
  if (bucket !== undefined) return openVolume('s3', bucketConfig(bucket, prefix ?? '', access))
  if (path.isAbsolute(place)) return openVolume('local', { root: place })
  throw new BackupError(texts.keep('notice.backup_no_place', { place }))
}

function bucketConfig(bucket: string, prefix: string, access: BucketAccess): Readonly<Record<string, unknown>> {
  const { endpoint, region, accessKeyId, secretAccessKey } = access
  if (accessKeyId === '' || secretAccessKey === '') {
    throw new BackupError(texts.keep('notice.backup_no_access_key'))
  }
  return {
    ...{ bucket, prefix: prefix.replace(/\/$/, ''), endpoint, region: region || 'us-east-1' },
    ...{ access_key_id: accessKeyId, secret_access_key: secretAccessKey, acl: '' },
    ...{ force_path_style: endpoint !== '', presign_ttl: 3600, image_process: 'none' },
  }
}
