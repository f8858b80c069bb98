import type { ImagePlan } from '../plan.ts'
import { longestSide, type ResizeMode } from '../vocabulary.ts'

const modes: Readonly<Record<ResizeMode, string>> = { fit: 'lfit', fill: 'fixed', crop: 'fill', pad: 'pad' }

/** The value of `x-oss-process`; undefined for transparent padding, which OSS does not have. */
export function ossOperations({ width, height, mode, format, quality }: ImagePlan): string | undefined {
  if (mode === 'pad' && format !== 'jpg') return undefined
  const box = {
    w: width ?? (mode === 'fit' ? longestSide : undefined),
    h: height ?? (mode === 'fit' ? longestSide : undefined),
  }
  const resize = [
    'resize',
    // With one side alone the other follows, as it does in a box without an end.
    `m_${box.w === undefined || box.h === undefined ? 'lfit' : modes[mode]}`,
    ...(box.w === undefined ? [] : [`w_${box.w}`]),
    ...(box.h === undefined ? [] : [`h_${box.h}`]),
    `limit_${mode === 'fit' ? 1 : 0}`,
    ...(mode === 'pad' ? ['color_FFFFFF'] : []),
  ]
  const steps = ['image', 'auto-orient,1', resize.join(',')]
  if (quality !== undefined) steps.push(`quality,Q_${quality}`)
  return [...steps, `format,${format}`].join('/')
}
