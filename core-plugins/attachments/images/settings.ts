import type { RateLimit, Scope } from '#kernel'
import { configChanged, valuesChanged, type ConfigReader } from '../../config/contract.ts'
import type { ImageRules } from './decision.ts'
import { ImageRateLimitedError } from './errors.ts'
import { presetsOf } from './presets.ts'
import type { TransformLimits } from './worker/transformer.ts'

/** All that configuration says of images. */
export interface ImageConfiguration extends ImageRules {
  readonly limits: TransformLimits
  /** Of derived images on one host. */
  readonly cacheBytes: number
  /** How often an address may ask. */
  readonly rate: RateLimit
}

/** What is being read or was read, and until when it is good. */
interface Kept {
  readonly read: Promise<ImageConfiguration>
  readonly until: number
  value?: ImageConfiguration
}

const megabyte = 1024 * 1024

/** As long as the reader keeps values, which are older at most by that. */
const keptMs = 60_000

/** What configuration says of images, the same object until it changes: every image asks, and none is to read eleven values for that. */
export class KeptConfiguration {
  readonly #config: ConfigReader
  #kept: Kept | undefined

  constructor(config: ConfigReader) {
    this.#config = config
  }

  read(): Promise<ImageConfiguration> {
    if (this.#kept && this.#kept.until > Date.now()) return this.#kept.read
    const kept: Kept = { read: readConfiguration(this.#config), until: Date.now() + keptMs }
    this.#kept = kept
    kept.read.then(
      (value) => (kept.value = value),
      () => this.#kept === kept && this.forget(),
    )
    return kept.read
  }

  /** Whether this is what `read` answers now. */
  isCurrent(configuration: ImageConfiguration): boolean {
    return this.#kept?.value === configuration && this.#kept.until > Date.now()
  }

  /** Reads anew at the next question; what is being read at the moment is not kept. */
  forget(): void {
    this.#kept = undefined
  }
}

/** Keeps it until the platform's values change, on whichever host. */
export function keepConfiguration(scope: Pick<Scope, 'on' | 'onChanges'>, config: ConfigReader): KeptConfiguration {
  const kept = new KeptConfiguration(config)
  scope.on(configChanged, ({ tenantId }) => void (tenantId === 0 && kept.forget()), 'every-host')
  scope.onChanges(valuesChanged, (tenants) => void ((tenants === 'all' || tenants.includes('0')) && kept.forget()))
  return kept
}

async function readConfiguration(config: ConfigReader): Promise<ImageConfiguration> {
  const number = (key: string): Promise<number> => config.get<number>(key)
  const [isEnabled, presets, quality, inputMb, megapixels, maxFrames, atOnce, seconds, cacheMb, requests, window] =
    await Promise.all([
      config.get<boolean>('image_processing_enabled'),
      config.get<unknown>('image_presets'),
      number('image_default_quality'),
      number('image_max_input_mb'),
      number('image_max_megapixels'),
      number('image_max_frames'),
      number('image_concurrency'),
      number('image_timeout_seconds'),
      number('image_cache_max_mb'),
      number('image_rate_limit'),
      number('image_rate_window_seconds'),
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
    rate: { policy: 'image', requests, seconds: window, by: 'ip', error: ImageRateLimitedError },
  }
}
