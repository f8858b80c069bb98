import type { ConfigGroupDeclaration } from '#kernel'
import { numberItem } from './items.ts'
import { localised } from './localised.ts'

const megabyte = 1024 * 1024

/** What a third-party plugin may use unless its own grant says otherwise: `plugin_` and the limit's name, to the limit's most. */
export const platformPlugin: ConfigGroupDeclaration = {
  code: 'platform_plugin',
  name: localised('Plugins', '插件'),
  description: localised('Limits of third-party plugins', '第三方插件的资源限制'),
  icon: 'connection',
  sort: 70,
  scope: 'ADMIN_ONLY',
  items: [
    numberItem('plugin_memory_mb', ['Memory of an isolate in MB', '隔离实例内存（MB）'], [128, 128, 256]),
    numberItem('plugin_lane_memory_mb', ['Memory of a sandbox process in MB', '沙箱进程内存（MB）'], [300, 128, 512]),
    numberItem('plugin_cpu_ms', ['CPU milliseconds of a call', '单次调用 CPU 毫秒数'], [1000, 10, 5000]),
    numberItem(
      'plugin_job_cpu_ms',
      ['CPU milliseconds of a schedule or hook', '定时任务与钩子 CPU 毫秒数'],
      [10_000, 10, 60_000],
    ),
    numberItem('plugin_wall_ms', ['Milliseconds of a call', '单次调用毫秒数'], [10_000, 100, 25_000]),
    numberItem('plugin_schedule_wall_ms', ['Milliseconds of a schedule', '定时任务毫秒数'], [60_000, 100, 900_000]),
    numberItem('plugin_concurrency', ['Calls at once', '插件并发调用数'], [8, 1, 8]),
    numberItem('plugin_tenant_concurrency', ['Calls at once of one tenant', '单租户并发调用数'], [4, 1, 8]),
    numberItem('plugin_queue', ['Calls that wait', '排队调用数'], [32, 0, 32]),
    numberItem('plugin_host_calls', ['Calls of the platform in one call', '单次调用内的平台调用数'], [200, 1, 200]),
    numberItem('plugin_log_lines', ['Log lines of a call', '单次调用日志行数'], [100, 0, 100]),
    numberItem('plugin_log_day_bytes', ['Bytes of log in a day', '每日日志字节数'], [10 * megabyte, 0, 10 * megabyte]),
    numberItem(
      'plugin_http_timeout_ms',
      ['Milliseconds of an outgoing request', '外部请求毫秒数'],
      [10_000, 100, 30_000],
    ),
    numberItem(
      'plugin_http_response_bytes',
      ['Bytes of an answer to an outgoing request', '外部响应字节数'],
      [5 * megabyte, 1024, 5 * megabyte],
    ),
    numberItem('plugin_http_calls', ['Outgoing requests of a call', '单次调用外部请求数'], [20, 0, 20]),
    numberItem(
      'plugin_http_per_minute',
      ['Outgoing requests of a tenant in a minute', '单租户每分钟外部请求数'],
      [60, 0, 60],
    ),
    numberItem('plugin_storage_quota_mb', ['Storage of a tenant in MB', '单租户存储（MB）'], [200, 1, 5120]),
    numberItem('plugin_storage_object_mb', ['Largest object in MB', '单个对象大小（MB）'], [20, 1, 20]),
    numberItem('plugin_storage_objects', ['Objects of a tenant', '单租户对象数'], [10_000, 1, 10_000]),
    numberItem('plugin_events_per_minute', ['Events of a tenant in a minute', '单租户每分钟事件数'], [100, 0, 100]),
  ],
}
