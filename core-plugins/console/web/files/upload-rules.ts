import { call } from '../api/client.ts'
import { say } from '../tab/i18n.ts'
import { byteSize } from '../ui/times.ts'

/** What may be uploaded, and how. */
export interface UploadRules {
  readonly enabled: boolean
  readonly max_file_size: number
  readonly allowed_extensions: readonly string[]
  readonly max_parallel_chunks: number
  readonly quota: { readonly used: number; readonly limit: number | null }
  readonly image: { readonly max_megapixels: number }
}

/** Why a file is not sent, in words. */
export class FileRefusal extends Error {}

/** What holds at the moment. */
export function readUploadRules(signal?: AbortSignal): Promise<UploadRules> {
  return call<UploadRules>('GET', '/attachments/upload-rules', { signal })
}

/** Throws a FileRefusal where nothing may be uploaded, or a file is larger than one may be. */
export function demandSize({ name, size: bytes }: File, { enabled, max_file_size: most }: UploadRules): void {
  if (!enabled) throw new FileRefusal(say('files.off'))
  const size = byteSize(bytes)
  if (bytes > most) throw new FileRefusal(say('files.tooLarge', { name, size, most: byteSize(most) }))
}

/** Throws a FileRefusal for a file that the server would refuse for its kind, its size or the room that is left. */
export function demandUploadable(file: File, rules: UploadRules): void {
  demandSize(file, rules)
  const { name, size } = file
  const { allowed_extensions: allowed, quota } = rules
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (!allowed.includes(extension)) throw new FileRefusal(say('files.wrongKind', { name, allowed: allowed.join(', ') }))
  const left = quota.limit === null ? size : Math.max(0, quota.limit - quota.used)
  if (size <= left) return
  throw new FileRefusal(say('files.noRoom', { name, size: byteSize(size), left: byteSize(left) }))
}
