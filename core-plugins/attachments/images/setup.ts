import type { ProcessMetrics, Scope } from '#kernel'
import { attachmentsForgotten } from '../contract.ts'
import type { AttachmentParts } from '../parts.ts'
import { derivedPrefix } from './derived-key.ts'
import { DerivedImages } from './derived/derived-images.ts'
import { imageRoutes } from './routes.ts'
import { readConfiguration } from './settings.ts'
import { Transformer } from './worker/transformer.ts'

const trimEveryMs = 10 * 60_000

/** Builds images of attachments. */
export function setupImages(scope: Scope, parts: AttachmentParts, metrics: ProcessMetrics): void {
  const transformer = scope.use(new Transformer(scope.log))
  const derived = new DerivedImages(scope)
  const trim = async (): Promise<void> => derived.files.trim((await readConfiguration(parts.config)).cacheBytes)
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
  scope.every(trimEveryMs, trim)
  scope.on(attachmentsForgotten, ({ hash }) => derived.files.forget(derivedPrefix(hash)))
  scope.route(...imageRoutes({ ...parts, derived, transformer }))
}
