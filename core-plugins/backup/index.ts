import path from 'node:path'
import { definePlugin } from '#kernel'
import { groups } from './declared/groups.ts'
import { messages } from './messages.ts'
import { needs } from './needs.ts'
import { permissions } from './permissions.ts'
import { startBackup } from './start-backup.ts'

export default definePlugin({
  name: 'backup',
  version: '1.0.0',
  title: { default: 'Backups', 'zh-CN': '备份' },
  description: {
    default: 'Backups of the whole platform, by schedule and by command',
    'zh-CN': '按计划或命令备份整个平台',
  },
  permissions,
  messages,
  config: groups,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs,
  setup: startBackup,
})
