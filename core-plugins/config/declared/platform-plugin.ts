import type { ConfigGroupDeclaration } from '#kernel'
import { numberItem } from './items.ts'
import { localised } from './localised.ts'

/** What a third-party plugin may use unless its own grant says otherwise: `plugin_` and the limit's name. */
export const platformPlugin: ConfigGroupDeclaration = {
  code: 'platform_plugin',
  name: localised('Plugins', '插件'),
  description: localised('Limits of third-party plugins', '第三方插件的资源限制'),
  icon: 'connection',
  sort: 70,
  scope: 'ADMIN_ONLY',
  items: [
    numberItem('plugin_memory_mb', ['Memory of an isolate in MB', '隔离实例内存（MB）'], [128, 128, 256]),
    numberItem('plugin_cpu_ms', ['CPU milliseconds of a call', '单次调用 CPU 毫秒数'], [1000, 10, 5000]),
    numberItem('plugin_wall_ms', ['Milliseconds of a call', '单次调用毫秒数'], [10_000, 100, 25_000]),
    numberItem('plugin_concurrency', ['Calls at once', '插件并发调用数'], [8, 1, 8]),
    numberItem('plugin_tenant_concurrency', ['Calls at once of one tenant', '单租户并发调用数'], [4, 1, 8]),
    numberItem(
      'plugin_http_timeout_ms',
      ['Milliseconds of an outgoing request', '外部请求毫秒数'],
      [10_000, 100, 30_000],
    ),
    numberItem('plugin_storage_quota_mb', ['Storage of a tenant in MB', '单租户存储（MB）'], [200, 1, 5120]),
    numberItem('plugin_storage_object_mb', ['Largest object in MB', '单个对象大小（MB）'], [20, 1, 20]),
  ],
}
