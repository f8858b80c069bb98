import type { ConfigReader } from '../../config/contract.ts'
import { FileRejectedError, UploadsDisabledError } from '../errors.ts'
import { readFileName, type FileName } from '../content/file-name.ts'

const megabyte = 1_048_576

/** What may be uploaded, in bytes. */
export interface UploadLimits {
  readonly fileBytes: number
  readonly chunkBytes: number
  readonly extensions: readonly string[]
}

/** How long an upload that was announced may take. */
export const uploadTtlSeconds = 86_400

/** What may be uploaded at the moment. */
export async function readLimits(config: ConfigReader): Promise<UploadLimits> {
  const [file, chunk, extensions] = await Promise.all([
    config.get<number>('max_file_size_mb'),
    config.get<number>('chunk_size_mb'),
    config.get<readonly string[]>('allowed_extensions'),
  ])
  return { fileBytes: file * megabyte, chunkBytes: chunk * megabyte, extensions }
}

/** Whether users of a tenant may upload; the platform's staff may. */
export async function mayUpload(config: ConfigReader, tenantId: number): Promise<boolean> {
  return tenantId === 0 || (await config.get<boolean>('file_upload', tenantId))
}

/** Throws 403/4036 where they may not. */
export async function demandUploads(config: ConfigReader, tenantId: number): Promise<void> {
  if (!(await mayUpload(config, tenantId))) {
    throw new UploadsDisabledError({ details: { feature: 'file_upload' } })
  }
}

/** The name of a file that may be uploaded; throws 400/4008 for one without a name, or of a kind that is not wanted. */
export function allowName(given: string, { extensions }: Pick<UploadLimits, 'extensions'>): FileName {
  const name = readFileName(given)
  if (extensions.includes(name.extension)) return name
  const details = { cause: 'extension', extension: name.extension, allowed: extensions }
  throw new FileRejectedError({ fault: 'files of this kind are not taken' }, { details })
}
