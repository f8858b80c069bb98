import { say } from '../tab/i18n.ts'
import { byteSize } from '../ui/times.ts'
import { FileRefusal, type UploadRules } from './upload-rules.ts'

const rasters = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
/** Drawn by browsers from what they say; the server takes no large ones. */
const drawn = ['image/svg+xml', 'image/x-icon', 'image/vnd.microsoft.icon']
const mostDrawnBytes = 1_048_576

/** The kinds of files that a picture of a page may be. */
export const pagePictureTypes = [...rasters, ...drawn].join(',')

/** A file as a picture of pixels; throws a FileRefusal for one that is none, or has too many of them. */
export async function openRaster(file: File, { image }: UploadRules): Promise<ImageBitmap> {
  const { name } = file
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (!picture) throw new FileRefusal(say('files.picture.unreadable', { name }))
  const { width, height } = picture
  const most = image.max_megapixels
  if (width * height <= most * 1_000_000) return picture
  picture.close()
  throw new FileRefusal(say('files.picture.tooManyPixels', { name, width, height, most }))
}

/** Throws a FileRefusal for a file that no page can show as a picture. */
export async function demandPagePicture(file: File, rules: UploadRules): Promise<void> {
  const { name, size, type } = file
  if (rasters.includes(type)) {
    const picture = await openRaster(file, rules)
    picture.close()
    return
  }
  if (!drawn.includes(type)) throw new FileRefusal(say('files.notShown', { name }))
  if (size <= mostDrawnBytes) return
  throw new FileRefusal(say('files.tooLarge', { name, size: byteSize(size), most: byteSize(mostDrawnBytes) }))
}
