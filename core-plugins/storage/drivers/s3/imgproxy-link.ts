import { createHmac } from 'node:crypto'
import { StorageError } from '../../errors.ts'
import type { S3Settings } from './s3-settings.ts'

/**
 * A link to imgproxy for an object, signed, which ends after so many seconds. The source is named as `s3://`, so that the link gives
 * nobody the object itself.
 */
export function imgproxyLink(
  { bucket, prefix, imageProxy }: Pick<S3Settings, 'bucket' | 'prefix' | 'imageProxy'>,
  location: string,
  { options, seconds, now = Date.now() }: { readonly options: string; readonly seconds: number; readonly now?: number },
): string {
  if (!imageProxy) throw new StorageError({ cause: new Error('there is no imgproxy') })
  const source = Buffer.from(`s3://${bucket}/${prefix}${location}`).toString('base64url')
  const path = `/${options}/exp:${Math.floor(now / 1000) + seconds}/${source}`
  const signature = createHmac('sha256', imageProxy.key).update(imageProxy.salt).update(path).digest('base64url')
  return `${imageProxy.url}/${signature}${path}`
}
