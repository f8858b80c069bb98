import path from 'node:path'
import { definePlugin } from '#kernel'
import { messages } from './messages.ts'
import { needs } from './needs.ts'
import { setupPluginEvents } from './setup.ts'

export default definePlugin({
  name: 'plugin_events',
  version: '1.0.0',
  title: { default: 'Events of plugins', 'zh-CN': '插件事件' },
  description: {
    default: 'The durable queue of events between plugins, and of those of the platform that plugins hear',
    'zh-CN': '插件之间以及平台发给插件的事件的持久队列',
  },
  messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  inherited: { from: 'plugins', migrations: { '0003_plugin_dead_events.ts': '0003_plugin_dead_events.ts' } },
  needs,
  setup: setupPluginEvents,
})
