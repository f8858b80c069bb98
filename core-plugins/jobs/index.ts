import path from 'node:path'
import { definePlugin } from '#kernel'
import { jobs } from './contract.ts'
import { messages } from './messages.ts'
import { needs } from './needs.ts'
import { permissions } from './permissions.ts'
import { setupJobs } from './setup.ts'

export default definePlugin({
  name: 'jobs',
  version: '1.0.0',
  title: { default: 'Jobs', 'zh-CN': '任务队列' },
  description: {
    default: 'Work that outlives a request and the host that took it',
    'zh-CN': '不随请求或主机结束而丢失的后台任务',
  },
  permissions,
  messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs,
  provides: [jobs],
  setup: setupJobs,
})
