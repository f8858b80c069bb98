import type { RateLimit } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import type { ImageRules } from './decision.ts'
import { ImageRateLimitedError } from './errors.ts'
import { presetsOf } from './presets.ts'
import type { TransformLimits } from './worker/transformer.ts'

/** All that configuration says of images. */
export interface ImageConfiguration extends ImageRules {
  readonly limits: TransformLimits
  /** Of derived images on one host. */
  readonly cacheBytes: number
}

const megabyte = 1024 * 1024

/** How often an address may ask for images. */
export async function readLimit(config: ConfigReader): Promise<RateLimit> {
  const [requests, seconds] = await Promise.all([
    config.get<number>('image_rate_limit'),
    config.get<number>('image_rate_window_seconds'),
  ])
  return { policy: 'image', requests, seconds, by: 'ip', error: ImageRateLimitedError }
}

/** Reads it all; every value is held in memory by the reader. */
export async function readConfiguration(config: ConfigReader): Promise<ImageConfiguration> {
  const number = (key: string): Promise<number> => config.get<number>(key)
  const [isEnabled, presets, quality, inputMb, megapixels, maxFrames, atOnce, seconds, cacheMb] = await Promise.all([
    config.get<boolean>('image_processing_enabled'),
    config.get<unknown>('image_presets'),
    number('image_default_quality'),
    number('image_max_input_mb'),
    number('image_max_megapixels'),
    number('image_max_frames'),
    number('image_concurrency'),
    number('image_timeout_seconds'),
    number('image_cache_max_mb'),
  ])
  return {
    isEnabled,
    presets: presetsOf(presets),
    quality,
    maxBytes: inputMb * megabyte,
    maxPixels: megapixels * 1_000_000,
    maxFrames,
    limits: { atOnce, milliseconds: seconds * 1000 },
    cacheBytes: cacheMb * megabyte,
  }
}
