import path from 'node:path'
import { definePlugin } from '#kernel'
import { needs } from './needs.ts'
import { setupPluginUsage } from './setup.ts'

export default definePlugin({
  name: 'plugin_usage',
  version: '1.0.0',
  title: { default: 'Usage of plugins', 'zh-CN': '插件用量' },
  description: {
    default: 'What plugins cost over all hosts, by tenant and by hour, and why their code failed',
    'zh-CN': '插件在所有主机上的用量（按租户与小时统计）及其失败原因',
  },
  migrations: path.join(import.meta.dirname, 'migrations'),
  inherited: { from: 'plugins', migrations: { '0003_plugin_usage.ts': '0003_plugin_usage.ts' } },
  needs,
  setup: setupPluginUsage,
})
