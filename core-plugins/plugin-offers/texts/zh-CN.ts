import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '插件提供的功能',
  'plugin.description': '插件带来的工具、AI 提供方、验证码、存储驱动、偏好设置与页面',
  'storage.driver': '由插件“{plugin}”提供。文件分段经由平台传输：不支持直链、分片上传和服务端图片处理。',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  plugin_tool_not_found: '此处没有工具 {tool}',
  plugin_provider_not_found: '此处没有 AI 提供方 {provider}',
  plugin_guardrail_not_found: '此处没有 AI 护栏 {guardrail}',
  plugin_router_not_found: '此处没有 AI 路由器 {router}',
  plugin_provider_secret: 'AI 提供方的设置 {key} 有误：{fault}',
  plugin_storage_not_offered: '存储 {driver} 不对租户开放',
  plugin_storage_withheld: '存储 {driver} 不可用：其权限已被收回',
}
