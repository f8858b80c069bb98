import type { ImagePlan } from '../plan.ts'
import { longestSide } from '../vocabulary.ts'

/** What imageView2 leaves as it is: how the camera was held, and what it noted. */
const before = 'imageMogr2/auto-orient/strip|'

/** The operations of Qiniu, which stand in the query as they are; undefined for what it has no mode for: stretching, padding, one side to be enlarged. */
export function qiniuOperations({ width, height, mode, format, quality }: ImagePlan): string | undefined {
  const end = [`format/${format}`, ...(quality === undefined ? [] : [`q/${quality}`])]
  if (mode === 'fit') {
    return [`${before}imageView2/2`, `w/${width ?? longestSide}`, `h/${height ?? longestSide}`, ...end].join('/')
  }
  if (mode !== 'crop' || width === undefined || height === undefined) return undefined
  return [`${before}imageView2/1`, `w/${width}`, `h/${height}`, ...end].join('/')
}
