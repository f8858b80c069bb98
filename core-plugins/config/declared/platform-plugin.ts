import type { ConfigGroupDeclaration } from '#kernel'
import { numberItem } from './items.ts'
import { texts } from './texts/texts.ts'

const megabyte = 1024 * 1024

/** What a third-party plugin may use unless its own grant says otherwise: `plugin_` and the limit's name, to the limit's most. */
export const platformPlugin: ConfigGroupDeclaration = {
  code: 'platform_plugin',
  name: texts.of('platform_plugin'),
  description: texts.of('platform_plugin.description'),
  icon: 'connection',
  sort: 70,
  scope: 'ADMIN_ONLY',
  items: [
    numberItem('plugin_memory_mb', texts.of('plugin_memory_mb'), [128, 128, 256]),
    numberItem('plugin_lane_memory_mb', texts.of('plugin_lane_memory_mb'), [300, 128, 512]),
    numberItem('plugin_cpu_ms', texts.of('plugin_cpu_ms'), [1000, 10, 5000]),
    numberItem('plugin_job_cpu_ms', texts.of('plugin_job_cpu_ms'), [10_000, 10, 60_000]),
    numberItem('plugin_wall_ms', texts.of('plugin_wall_ms'), [10_000, 100, 25_000]),
    numberItem('plugin_job_day_cpu_ms', texts.of('plugin_job_day_cpu_ms'), [600_000, 1_000, 3_600_000]),
    numberItem('plugin_schedule_wall_ms', texts.of('plugin_schedule_wall_ms'), [60_000, 100, 900_000]),
    numberItem('plugin_concurrency', texts.of('plugin_concurrency'), [8, 1, 8]),
    numberItem('plugin_tenant_concurrency', texts.of('plugin_tenant_concurrency'), [4, 1, 8]),
    numberItem('plugin_queue', texts.of('plugin_queue'), [32, 0, 32]),
    numberItem('plugin_host_calls', texts.of('plugin_host_calls'), [200, 1, 200]),
    numberItem('plugin_log_lines', texts.of('plugin_log_lines'), [100, 0, 100]),
    numberItem('plugin_log_day_bytes', texts.of('plugin_log_day_bytes'), [10 * megabyte, 0, 10 * megabyte]),
    numberItem('plugin_http_timeout_ms', texts.of('plugin_http_timeout_ms'), [10_000, 100, 30_000]),
    numberItem('plugin_http_response_bytes', texts.of('plugin_http_response_bytes'), [
      5 * megabyte,
      1024,
      5 * megabyte,
    ]),
    numberItem('plugin_http_calls', texts.of('plugin_http_calls'), [20, 0, 20]),
    numberItem('plugin_http_per_minute', texts.of('plugin_http_per_minute'), [60, 0, 60]),
    numberItem('plugin_storage_quota_mb', texts.of('plugin_storage_quota_mb'), [200, 1, 5120]),
    numberItem('plugin_storage_object_mb', texts.of('plugin_storage_object_mb'), [20, 1, 20]),
    numberItem('plugin_storage_objects', texts.of('plugin_storage_objects'), [10_000, 1, 10_000]),
    numberItem('plugin_attachment_quota_mb', texts.of('plugin_attachment_quota_mb'), [200, 1, 5120]),
    numberItem('plugin_events_per_minute', texts.of('plugin_events_per_minute'), [100, 0, 100]),
    numberItem('plugin_mails_per_day', texts.of('plugin_mails_per_day'), [500, 0, 10_000]),
  ],
}
