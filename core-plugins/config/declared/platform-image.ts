import type { ConfigGroupDeclaration } from '#kernel'
import { numberItem, switchItem } from './items.ts'
import { localised } from './localised.ts'

/** What pictures may cost when they are made smaller on the way out. */
export const platformImage: ConfigGroupDeclaration = {
  code: 'platform_image',
  name: localised('Images', '图片处理'),
  description: localised('Limits of dynamic images', '动态图片处理的限制'),
  icon: 'picture-rounded',
  parent: 'platform_storage',
  sort: 85,
  scope: 'ADMIN_ONLY',
  items: [
    switchItem('image_processing_enabled', ['Images are processed', '启用图片处理'], true),
    numberItem('image_rate_limit', ['Images per window and address', '每窗口每 IP 请求数'], [60, 1, 6000]),
    numberItem('image_rate_window_seconds', ['Window in seconds', '限流窗口（秒）'], [60, 1, 3600]),
    numberItem('image_max_megapixels', ['Megapixels of an input', '输入像素上限（百万）'], [50, 1, 200]),
    numberItem('image_max_input_mb', ['Size of an input in MB', '输入大小上限（MB）'], [20, 1, 1024]),
    numberItem('image_max_frames', ['Frames of an animation', '动画帧数上限'], [60, 1, 1000]),
    numberItem('image_default_quality', ['Quality unless said otherwise', '默认质量'], [80, 1, 100]),
    numberItem('image_concurrency', ['Images at once', '并发处理数'], [2, 1, 16]),
    numberItem('image_timeout_seconds', ['Seconds of one image', '单张处理秒数'], [10, 1, 60]),
    numberItem('image_cache_max_mb', ['Cache in MB', '缓存上限（MB）'], [1024, 0, 1_048_576]),
    { key: 'image_presets', type: 'JSON', name: localised('Presets', '预设'), default: {} },
  ],
}
