import { ImageTooLargeError, NotAnImageError } from './errors.ts'
import type { ImageParameters } from './parameters.ts'
import { isSource, planImage, withPreset, type ImagePlan, type Size } from './plan.ts'
import type { Presets } from './presets.ts'
import { kindOfType, type SourceKind } from './source-kind.ts'

/** What is known of a file before its bytes are opened. */
export interface ImageSource {
  readonly mimeType: string
  /** Bytes. */
  readonly size: number
  /** Pixels as the image is looked at; null where the upload did not find out. */
  readonly width: number | null
  readonly height: number | null
  /** Of an animation; null where the upload did not find out. */
  readonly frames: number | null
}

/** What configuration says of making images. */
export interface ImageRules {
  readonly isEnabled: boolean
  readonly presets: Presets
  readonly quality: number
  readonly maxBytes: number
  readonly maxPixels: number
  readonly maxFrames: number
}

/** What a request comes to: the file itself, or an image to be made of it. */
export type Decision =
  | { readonly kind: 'original'; readonly isShown: boolean }
  | { readonly kind: 'derived'; readonly source: SourceKind; readonly plan: ImagePlan }

/** Decides in the order of the contract; throws 422/4225 for what is no raster image and 422/4226 for one over the limits. */
export function decide(asked: ImageParameters, source: ImageSource, rules: ImageRules): Decision {
  const kind = kindOfType(source.mimeType)
  const original = { kind: 'original', isShown: kind !== undefined } as const
  if (!rules.isEnabled || Object.keys(asked).length === 0) return original
  if (kind === undefined) {
    // A picture all the same, which browsers draw where no script can run.
    if (source.mimeType === 'image/svg+xml') return original
    throw new NotAnImageError()
  }
  const size = sizeOf(source)
  const settings = withPreset(asked, rules.presets)
  const plan = planImage(settings, kind, rules.quality)
  if (isSource(settings, plan, kind, size)) return original
  if (isTooLarge(source, size, rules)) throw new ImageTooLargeError()
  return { kind: 'derived', source: kind, plan }
}

function isTooLarge({ size: bytes, frames }: ImageSource, size: Size | undefined, rules: ImageRules): boolean {
  if (bytes > rules.maxBytes || (frames ?? 1) > rules.maxFrames) return true
  return size !== undefined && size.width * size.height > rules.maxPixels
}

function sizeOf({ width, height }: ImageSource): Size | undefined {
  return width !== null && height !== null && width > 0 && height > 0 ? { width, height } : undefined
}
