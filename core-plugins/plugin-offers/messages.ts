/** Texts of this plugin's errors in other languages; English stands in the errors themselves. */
export const messages = {
  'zh-CN': {
    plugin_tool_not_found: '此处没有工具 {tool}',
    plugin_provider_not_found: '此处没有 AI 提供方 {provider}',
    plugin_provider_secret: 'AI 提供方的设置 {key} 有误：{fault}',
    plugin_storage_not_offered: '存储 {driver} 不对租户开放',
  },
} as const
