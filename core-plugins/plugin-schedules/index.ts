import path from 'node:path'
import { definePlugin } from '#kernel'
import { messages } from './messages.ts'
import { needs } from './needs.ts'
import { permissions } from './permissions.ts'
import { setupPluginSchedules } from './setup.ts'

export default definePlugin({
  name: 'plugin_schedules',
  version: '1.0.0',
  title: { default: 'Schedules of plugins', 'zh-CN': '插件定时任务' },
  description: {
    default: 'Runs what plugins want to do at certain times, once across all hosts',
    'zh-CN': '按计划运行插件的任务，所有主机合计只运行一次',
  },
  permissions,
  messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  inherited: { from: 'plugins', migrations: { '0002_plugin_schedules.ts': '0002_plugin_schedules.ts' } },
  needs,
  setup: setupPluginSchedules,
})
