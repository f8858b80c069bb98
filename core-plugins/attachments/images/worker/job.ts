import type { ImagePlan } from '../plan.ts'
import type { SourceKind } from '../source-kind.ts'

/** What a worker is told to make of a source. */
export interface TransformJob {
  readonly source: SourceKind
  readonly plan: ImagePlan
  readonly maxPixels: number
  readonly maxFrames: number
}

/** A job whose source lies in the file between the two, from its beginning. */
export interface GivenJob extends TransformJob {
  readonly bytes: number
}

/** Why the bytes cannot be made into an image: always the fault of the bytes. */
export type InputFault = 'not_an_image' | 'too_large'

/** How a job ended; the bytes of one that went well came before. */
export type Outcome =
  { readonly ok: true } | { readonly ok: false; readonly fault: InputFault; readonly message: string }
