import type { SourceBody } from '../../../../../plugin-index/wire.ts'

/** A place that offers plugins. */
export type Source = SourceBody
