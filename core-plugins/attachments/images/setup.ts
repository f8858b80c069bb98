import type { ProcessMetrics, Scope } from '#kernel'
import type { AttachmentParts } from '../parts.ts'
import { DerivedImages } from './derived/derived-images.ts'
import { forgetLeft, forgetThese } from './forget-derived.ts'
import { KeptPlans } from './kept-plans.ts'
import { imageRoutes } from './routes.ts'
import { keepConfiguration } from './settings.ts'
import { Transformer } from './worker/transformer.ts'

const trimEveryMs = 10 * 60_000
/** Bytes that are there no more, by their hashes. */
const bytesChanged = 'attachments.bytes'

/** Builds images of attachments. */
export function setupImages(scope: Scope, parts: AttachmentParts, metrics: ProcessMetrics): void {
  const transformer = scope.use(new Transformer(scope.log))
  const derived = new DerivedImages(scope)
  const configuration = keepConfiguration(scope, parts.config)
  scope.use(
    metrics.register(() => [
      {
        name: 'stoa_image_transforms_total',
        help: 'Images made of attachments since the start',
        type: 'counter',
        samples: [{ labels: {}, value: transformer.made }],
      },
    ]),
  )
  scope.every(trimEveryMs, async () => derived.files.trim((await configuration.read()).cacheBytes))
  scope.every(trimEveryMs, () => forgetLeft(scope.db, derived))
  scope.onChanges(bytesChanged, (hashes) => forgetThese(scope, derived, hashes))
  scope.route(...imageRoutes({ ...parts, configuration, derived, transformer, plans: new KeptPlans() }))
}
