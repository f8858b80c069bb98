import type { ImageParameters, ImageSettings } from './parameters.ts'
import type { Presets } from './presets.ts'
import { usualFormat, type SourceKind } from './source-kind.ts'
import { longestSide, type ImageFormat, type ResizeMode } from './vocabulary.ts'

/** Width and height in pixels, as the image is looked at. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** An image that is asked for, in its one form: equal images have equal plans. */
export interface ImagePlan {
  /** Pixels; undefined follows from the other side, or from the source. */
  readonly width: number | undefined
  readonly height: number | undefined
  readonly mode: ResizeMode
  readonly format: ImageFormat
  /** 1 to 100; undefined for formats that lose nothing. */
  readonly quality: number | undefined
}

/** Parameters with what their preset stands for; what is said itself wins. */
export function withPreset({ p, ...own }: ImageParameters, presets: Presets): ImageSettings {
  return p === undefined ? own : { ...presets[p], ...own }
}

/** Brings what is asked for into its one form. */
export function planImage(asked: ImageSettings, kind: SourceKind, usualQuality: number): ImagePlan {
  const format = asked.f ?? usualFormat(kind)
  const isLossy = format === 'jpg' || format === 'webp'
  return {
    width: asked.w,
    height: asked.h,
    mode: modeOf(asked),
    format,
    quality: isLossy ? (asked.q ?? usualQuality) : undefined,
  }
}

/** Without a box there is nothing to fill, and with one side of it the other follows, so that every mode but `fit` does the same. */
function modeOf({ w, h, m = 'fit' }: ImageSettings): ResizeMode {
  if (m === 'fit' || (w === undefined && h === undefined)) return 'fit'
  return w === undefined || h === undefined ? 'crop' : m
}

/** The size that comes out; no side is shorter than 1 or longer than 4096. */
export function outputSize({ width, height, mode }: ImagePlan, source: Size): Size {
  if (mode === 'fit') {
    const ratio = Math.min(1, (width ?? longestSide) / source.width, (height ?? longestSide) / source.height)
    return { width: side(source.width * ratio), height: side(source.height * ratio) }
  }
  return {
    width: width ?? side((source.width * (height ?? source.height)) / source.height),
    height: height ?? side((source.height * (width ?? source.width)) / source.width),
  }
}

function side(pixels: number): number {
  return Math.min(longestSide, Math.max(1, Math.round(pixels)))
}

/** Whether the source itself is what is asked for: same size, same format, and no word of quality. */
export function isSource(
  { w, h, q, f }: ImageSettings,
  plan: ImagePlan,
  kind: SourceKind,
  size: Size | undefined,
): boolean {
  if (q !== undefined || (f !== undefined && f !== kind)) return false
  if (w === undefined && h === undefined) return true
  if (size === undefined) return false
  const made = outputSize(plan, size)
  return plan.format === kind && made.width === size.width && made.height === size.height
}
