import { call } from '../api/client.ts'
import { say } from '../tab/i18n.ts'
import { openRaster } from '../files/picture-rules.ts'
import { demandSize, FileRefusal, readUploadRules } from '../files/upload-rules.ts'

const ends: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }
/** Larger ones are made smaller for those who look anyway. */
const mostPixels = 512

/** The kinds of files that a picture is made of, as a field for files takes them. */
export const pictureTypes = Object.keys(ends).join(',')
/** The longest side of what is sent. */
export const pictureSide = mostPixels

/** A file as a picture that can be cut; throws a FileRefusal before anything is sent. */
export async function openPicture(file: File): Promise<ImageBitmap> {
  if (!(file.type in ends)) throw new FileRefusal(say('files.picture.wrongType', { name: file.name }))
  const rules = await readUploadRules()
  demandSize(file, rules)
  return openRaster(file, rules)
}

/** What kind the cut picture is: the one of its file, where the server takes that. */
export async function sentType({ type }: File): Promise<string> {
  const { allowed_extensions: allowed } = await readUploadRules()
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
