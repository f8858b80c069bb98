import type { Localised } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import { isRaster } from '../content/raster.ts'
import type { Attachment } from '../models.ts'
import { texts } from '../texts/texts.ts'

/** How large pictures may be that are shown to everybody. */
interface PictureBounds {
  readonly bytes: number
  readonly pixels: number
}

/** What speaks against a picture. */
interface PictureFault {
  readonly rule: 'type' | 'visibility' | 'size' | 'not_found'
  readonly message: Localised
}

const megabyte = 1_048_576
/** Drawn by browsers alone: what is larger costs each of them. */
const drawnBytes = megabyte

/** Reads the bounds of what is made smaller for those who look. */
export async function readPictureBounds(config: ConfigReader): Promise<PictureBounds> {
  const [inputMb, megapixels] = await Promise.all([
    config.get<number>('image_max_input_mb'),
    config.get<number>('image_max_megapixels'),
  ])
  return { bytes: inputMb * megabyte, pixels: megapixels * 1_000_000 }
}

/** What speaks against an attachment as a picture that is shown to everybody; those that no preset is made of may be icons and drawings too. */
export function pictureFault(
  { mimeType, visibility, status, size, width, height }: Attachment,
  bounds: PictureBounds,
  allowed: 'raster' | 'any' = 'raster',
): PictureFault | undefined {
  if (status !== 'ready') return faultOf('not_found')
  const isDrawn = allowed === 'any' && ['image/svg+xml', 'image/x-icon'].includes(mimeType)
  if (!isDrawn && !isRaster(mimeType)) return faultOf('type')
  if (visibility !== 'public') return faultOf('visibility')
  const isKnown = isDrawn || (width !== null && height !== null)
  if (!isKnown) return faultOf('type')
  const isLarge = Number(size) > (isDrawn ? drawnBytes : bounds.bytes) || (width ?? 0) * (height ?? 0) > bounds.pixels
  return isLarge ? faultOf('size') : undefined
}

/** What is told of a rule. */
export function faultOf(rule: PictureFault['rule']): PictureFault {
  return { rule, message: texts.of(`picture.${rule}`) }
}
