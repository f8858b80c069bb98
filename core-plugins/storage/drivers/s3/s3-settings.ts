import type { DriverConfig, ImageProcess } from '../../contract.ts'
import { textSetting } from '../text-setting.ts'

/** The driver's settings in the form it uses them. */
export interface S3Settings {
  /** Origin of the service, without the bucket. */
  readonly endpoint: URL
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly forcePathStyle: boolean
  /** Empty, or ends with a slash. */
  readonly prefix: string
  readonly acl: string
  readonly presignSeconds: number
  readonly imageProcess: ImageProcess
  /** Where imgproxy answers and what signs its paths; undefined unless all of it is set. */
  readonly imageProxy: ImageProxy | undefined
}

/** An imgproxy that reads the bucket by itself. */
interface ImageProxy {
  readonly url: string
  readonly key: Buffer
  readonly salt: Buffer
}

/** Reads settings that fit the schema. */
export function readS3Settings(config: DriverConfig): S3Settings {
  const text = (name: string): string => textSetting(config, name)
  const region = text('region')
  const prefix = text('prefix').replace(/\/$/, '')
  return {
    endpoint: new URL(text('endpoint') || `https://s3.${region}.amazonaws.com`),
    region,
    bucket: text('bucket'),
    accessKeyId: text('access_key_id'),
    secretAccessKey: text('secret_access_key'),
    forcePathStyle: config['force_path_style'] !== false,
    prefix: prefix === '' ? '' : `${prefix}/`,
    acl: text('acl'),
    presignSeconds: Number(config['presign_ttl']),
    ...readImageProcess(config),
  }
}

/** Without its address and keys imgproxy is none. */
function readImageProcess(config: DriverConfig): Pick<S3Settings, 'imageProcess' | 'imageProxy'> {
  const imageProcess = config['image_process'] as ImageProcess
  if (imageProcess !== 'imgproxy') return { imageProcess, imageProxy: undefined }
  const url = textSetting(config, 'imgproxy_url').replace(/\/$/, '')
  const [key, salt] = ['imgproxy_key', 'imgproxy_salt_key'].map((name) => Buffer.from(textSetting(config, name), 'hex'))
  if (url === '' || !key?.length || !salt?.length) return { imageProcess: 'none', imageProxy: undefined }
  return { imageProcess, imageProxy: { url, key, salt } }
}

/** The URL of the bucket or, with a location, of an object in it. */
export function urlOf({ endpoint, bucket, forcePathStyle, prefix }: S3Settings, location?: string): URL {
  const url = new URL(endpoint)
  const key = location === undefined ? '' : `${prefix}${location}`
  if (!forcePathStyle) url.host = `${bucket}.${endpoint.host}`
  url.pathname = forcePathStyle ? `/${bucket}/${key}`.replace(/\/$/, '') : `/${key}`
  return url
}
