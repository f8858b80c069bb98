import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import { outputSize, type ImagePlan, type Size } from '../plan.ts'
import { kindOfBytes } from '../source-kind.ts'
import type { InputFault, TransformJob } from './job.ts'

const white = '#ffffff'
const transparent = { r: 0, g: 0, b: 0, alpha: 0 }
const fits = { fit: 'inside', fill: 'fill', crop: 'cover', pad: 'contain' } as const

/** Bytes that cannot be made into an image. */
export class InputFaultError extends Error {
  readonly fault: InputFault

  constructor(fault: InputFault, message: string) {
    super(message)
    this.fault = fault
  }
}

/** Makes an image; throws InputFaultError for bytes that are none or too many pixels, which the header tells before anything is decoded. */
export async function transform(bytes: Buffer, job: TransformJob): Promise<Buffer> {
  if (kindOfBytes(bytes) !== job.source) throw new InputFaultError('not_an_image', 'the bytes are of another kind')
  try {
    return await make(bytes, job)
  } catch (error) {
    throw error instanceof InputFaultError ? error : faultOf(error)
  }
}

async function make(bytes: Buffer, { source, plan, maxPixels, maxFrames }: TransformJob): Promise<Buffer> {
  const options: SharpOptions = { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true }
  const header = await sharp(bytes, options).metadata()
  const frames = header.pages ?? 1
  const pixels = header.width * header.height
  if (pixels > maxPixels || frames > maxFrames) throw new InputFaultError('too_large', `${frames} frames of ${pixels}`)
  const canMove = frames > 1 && (source === 'gif' || source === 'webp') && isMoving(plan)
  const target = outputSize(plan, shownSize(header, canMove))
  const isAnimated = canMove && frames * Math.max(pixels, target.width * target.height) <= maxPixels
  const opened = sharp(bytes, { ...options, ...(isAnimated && { animated: true }) })
  // The frames of an animation cannot be turned, and those who make them do not turn them.
  const image = resize(isAnimated ? opened : opened.autoOrient(), plan, target)
  return encode(image.toColourspace('srgb'), plan).toBuffer()
}

function isMoving({ format }: ImagePlan): boolean {
  return format === 'gif' || format === 'webp'
}

function shownSize({ width, height, autoOrient }: Metadata, isAnimated: boolean): Size {
  return isAnimated ? { width, height } : autoOrient
}

function resize(image: Sharp, plan: ImagePlan, { width, height }: Size): Sharp {
  const options = { fit: fits[plan.mode], position: 'centre', withoutEnlargement: plan.mode === 'fit' } as const
  if (plan.format !== 'jpg') return image.resize(width, height, { ...options, background: transparent })
  return image.resize(width, height, { ...options, background: white }).flatten({ background: white })
}

/** What is not asked to be kept of the source is not: camera, place, comments. */
function encode(image: Sharp, { format, quality = 80 }: ImagePlan): Sharp {
  switch (format) {
    case 'jpg':
      return image.jpeg({ quality })
    case 'webp':
      return image.webp({ quality })
    case 'png':
      return image.png({ compressionLevel: 6 })
    case 'gif':
      return image.gif({ effort: 3 })
  }
}

function faultOf(error: unknown): InputFaultError {
  const { message } = error as Error
  const isTooLarge = /pixel limit|out of memory|too large|allocat/i.test(message)
  return new InputFaultError(isTooLarge ? 'too_large' : 'not_an_image', message)
}
