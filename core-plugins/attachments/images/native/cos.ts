import type { ImagePlan } from '../plan.ts'
import { longestSide } from '../vocabulary.ts'

const white = Buffer.from('#FFFFFF').toString('base64url')

/** The operations of COS, which stand in the query as they are; undefined for transparent padding, which COS does not have. */
export function cosOperations(plan: ImagePlan): string | undefined {
  const { mode, format, quality } = plan
  if (mode === 'pad' && format !== 'jpg') return undefined
  const steps = ['imageMogr2/auto-orient', geometryOf(plan)]
  steps.push('strip', `format/${format}`)
  if (quality !== undefined) steps.push(`quality/${quality}`)
  return steps.join('/')
}

function geometryOf({ width, height, mode }: ImagePlan): string {
  if (mode === 'fit') return `thumbnail/${width ?? longestSide}x${height ?? longestSide}>`
  const box = `${width ?? ''}x${height ?? ''}`
  // With one side alone the other follows.
  if (width === undefined || height === undefined) return `thumbnail/${box}`
  if (mode === 'fill') return `thumbnail/${box}!`
  if (mode === 'pad') return `thumbnail/${box}/pad/1/color/${white}`
  return `thumbnail/!${box}r/gravity/center/crop/${box}`
}
