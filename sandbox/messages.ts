/** The sandbox's errors in other languages, by reason; for the manifest of the plugin that owns the sandbox. */
export const sandboxMessages = {
  'zh-CN': {
    migration_refused: '{file} 第 {line} 行：应为 {expected}，实际为 {found}',
    capability_missing: '插件未获得所需的能力授权',
    plugin_concurrency: '插件繁忙',
    plugin_rate_limited: '对该插件的请求过于频繁',
    plugin_handler_failed: '插件执行失败',
    sandbox_failed: '插件超出了其限制',
    plugin_response_invalid: '插件的响应无效',
    plugin_not_running: '插件当前未运行',
    plugin_timeout: '插件未能及时响应',
    plugin_not_loadable: '插件无法加载：{why}',
    plugin_storage_quota: '插件的存储空间已满',
  },
} as const
