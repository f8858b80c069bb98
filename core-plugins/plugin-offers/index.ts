import { definePlugin } from '#kernel'
import { pluginProviders, pluginTools } from './contract.ts'
import { messages } from './messages.ts'
import { needs } from './needs.ts'
import { setupPluginOffers } from './setup.ts'

export default definePlugin({
  name: 'plugin_offers',
  version: '1.0.0',
  title: { default: 'What plugins offer', 'zh-CN': '插件提供的功能' },
  description: {
    default: 'Tools, AI providers, captchas, storage drivers, preferences and pages that plugins bring',
    'zh-CN': '插件带来的工具、AI 提供方、验证码、存储驱动、偏好设置与页面',
  },
  messages,
  needs,
  provides: [pluginTools, pluginProviders],
  setup: setupPluginOffers,
})
