import { createHash } from 'node:crypto'
import type { ImagePlan } from './plan.ts'

/** Grows when the same plan would give other bytes. */
const pipelineVersion = 1

/** The limits that decide whether an animation stays one. */
interface FrameLimits {
  readonly maxPixels: number
  readonly maxFrames: number
}

/** Names a derived image, in hexadecimal: equal for equal sources and plans on every host. */
export function derivedKey(sourceSha256: string, plan: ImagePlan, { maxPixels, maxFrames }: FrameLimits): string {
  const { width, height, mode, format, quality } = plan
  const parts = [pipelineVersion, sourceSha256, width, height, mode, format, quality, maxPixels, maxFrames]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** What a derived image is called where it is kept: its source comes first, so that what was made of it lies together. */
export function derivedName(key: string, sourceSha256: string): string {
  return `${derivedPrefix(sourceSha256)}${key}`
}

/** How the names of everything begin that was made of a source. */
export function derivedPrefix(sourceSha256: string): string {
  return `${sourceSha256.slice(0, 16)}-`
}

/** The entity tag of a derived image. */
export function etagOf(key: string): string {
  return `"${key.slice(0, 16)}"`
}
