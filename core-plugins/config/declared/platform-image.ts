import type { ConfigGroupDeclaration } from '#kernel'
import { numberItem, switchItem } from './items.ts'
import { texts } from './texts/texts.ts'

/** What pictures may cost when they are made smaller on the way out. */
export const platformImage: ConfigGroupDeclaration = {
  code: 'platform_image',
  name: texts.of('platform_image'),
  description: texts.of('platform_image.description'),
  icon: 'picture-rounded',
  parent: 'platform_storage',
  sort: 85,
  scope: 'ADMIN_ONLY',
  items: [
    switchItem('image_processing_enabled', texts.of('image_processing_enabled'), true),
    numberItem('image_rate_limit', texts.of('image_rate_limit'), [60, 1, 6000]),
    numberItem('image_rate_window_seconds', texts.of('image_rate_window_seconds'), [60, 1, 3600]),
    numberItem('image_max_megapixels', texts.of('image_max_megapixels'), [50, 1, 200]),
    numberItem('image_max_input_mb', texts.of('image_max_input_mb'), [20, 1, 1024]),
    numberItem('image_max_frames', texts.of('image_max_frames'), [60, 1, 1000]),
    numberItem('image_default_quality', texts.of('image_default_quality'), [80, 1, 100]),
    numberItem('image_concurrency', texts.of('image_concurrency'), [2, 1, 16]),
    numberItem('image_timeout_seconds', texts.of('image_timeout_seconds'), [10, 1, 60]),
    numberItem('image_cache_max_mb', texts.of('image_cache_max_mb'), [1024, 0, 1_048_576]),
    { key: 'image_presets', type: 'JSON', name: texts.of('image_presets'), default: {} },
  ],
}
