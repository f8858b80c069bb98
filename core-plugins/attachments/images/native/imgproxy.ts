import type { ImagePlan } from '../plan.ts'
import { longestSide, type ResizeMode } from '../vocabulary.ts'

const types: Readonly<Record<ResizeMode, string>> = { fit: 'fit', fill: 'force', crop: 'fill', pad: 'fit' }

/** The processing options of imgproxy's path, without its source and signature. */
export function imgproxyOptions({ width, height, mode, format, quality }: ImagePlan): string {
  const [w, h] = mode === 'fit' ? [width ?? longestSide, height ?? longestSide] : [width ?? 0, height ?? 0]
  const options = [`rs:${types[mode]}:${w}:${h}:${mode === 'fit' ? 0 : 1}:${mode === 'pad' ? 1 : 0}`]
  if (mode === 'crop') options.push('g:ce')
  if (format === 'jpg') options.push('bg:255:255:255')
  options.push('ar:1', 'sm:1', 'scp:1')
  if (quality !== undefined) options.push(`q:${quality}`)
  return [...options, `f:${format}`].join('/')
}
