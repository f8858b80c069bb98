import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '插件索引',
  'plugin.description': '插件的索引源、受信任的发布者，以及它们的更新与撤回',
  admin_plugin_sources: '插件来源',
  admin_updates: '更新',
  admin_marketplace: '插件市场',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  plugin_source_not_found: '没有索引源 {source}',
  plugin_source_taken: '索引源 {source} 已存在',
  plugin_source_invalid: '索引源的设置无效',
  plugin_source_unavailable: '无法读取索引源 {source}：{why}',
  plugin_not_offered: '没有索引源提供 {name}',
  plugin_version_not_offered: '{source} 没有 {name} 的 {version} 版本',
  plugin_no_compatible_version: '{name} 没有适合本平台的版本',
  plugin_release_revoked: '{name} 的 {version} 版本已被撤回：{why}',
  plugin_revoked: '{name} 的 {version} 版本已被撤回：{why}。请升级，或明确忽略撤回',
  plugin_of_another_source: '{name} 来自 {owner}：如需改用 {source}，请先卸载',
  plugin_was_uploaded: '{name} 是上传安装的，不属于任何索引源：请指明索引源',
  plugin_source_ambiguous: '{sources} 以不同的密钥提供 {name}：请指明要使用的索引源',
  plugin_offer_mismatch: '软件包与 {source} 所提供的不符：{problem}',
  publisher_key_unknown: '本站不认识 {publisher} 的密钥 {kid}：请与发布者核对指纹后将其加入受信任的发布者',
  publisher_key_revoked: '{publisher} 的密钥 {kid} 已被吊销',
  publisher_key_taken: '{publisher} 的密钥 {kid} 已存在',
  publisher_key_not_found: '没有这个密钥',
  publisher_key_invalid: '这不是 base64url 形式的 Ed25519 公钥',
}
