import { call } from '../api/client.ts'
import { say } from '../tab/i18n.ts'
import { byteSize } from '../ui/times.ts'

interface PictureRules {
  readonly enabled: boolean
  readonly max_file_size: number
  readonly allowed_extensions: readonly string[]
  readonly image: { readonly max_megapixels: number }
}

const ends: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }
/** Larger ones are made smaller for those who look anyway. */
const mostPixels = 512

/** The kinds of files that a picture is made of, as a field for files takes them. */
export const pictureTypes = Object.keys(ends).join(',')
/** The longest side of what is sent. */
export const pictureSide = mostPixels

/** Why a file is no picture of a person, in words. */
export class PictureRefusal extends Error {}

/** A file as a picture that can be cut; throws a PictureRefusal before anything is sent. */
export async function openPicture(file: File): Promise<ImageBitmap> {
  if (!(file.type in ends)) throw new PictureRefusal(say('files.picture.wrongType', { name: file.name }))
  const { enabled, max_file_size: most, image } = await readRules()
  if (!enabled) throw new PictureRefusal(say('files.off'))
  const size = byteSize(file.size)
  if (file.size > most) throw new PictureRefusal(say('files.tooLarge', { name: file.name, size, most: byteSize(most) }))
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (!picture) throw new PictureRefusal(say('files.picture.unreadable', { name: file.name }))
  const { width, height } = picture
  if (width * height <= image.max_megapixels * 1_000_000) return picture
  picture.close()
  throw new PictureRefusal(
    say('files.picture.tooManyPixels', { name: file.name, width, height, most: image.max_megapixels }),
  )
}

/** What kind the cut picture is: the one of its file, where the server takes that. */
export async function sentType({ type }: File): Promise<string> {
  const { allowed_extensions: allowed } = await readRules()
  const isTaken = (each: string) => allowed.includes(ends[each] ?? '')
  return isTaken(type) ? type : (Object.keys(ends).find(isTaken) ?? type)
}

/** Sends a picture of a person; answers the attachment that it became. */
export async function sendPicture(picture: Blob): Promise<string> {
  const form = new FormData()
  form.append('usage', 'avatar')
  form.append('file', picture, `avatar.${ends[picture.type] ?? 'png'}`)
  return (await call<{ readonly id: string }>('POST', '/attachments/upload', { body: form })).id
}

function readRules(): Promise<PictureRules> {
  return call<PictureRules>('GET', '/attachments/upload-rules')
}
