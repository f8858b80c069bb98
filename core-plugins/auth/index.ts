import path from 'node:path'
import { authenticator, definePlugin } from '#kernel'
import { adminReset, callerChanges, sessions, setup, wsTickets } from './contract.ts'
import { needs } from './needs.ts'
import { setupAuth } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'auth',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  sealed: [{ table: 'auth_sessions', column: 'successor' }],
  needs,
  provides: [authenticator, sessions, setup, wsTickets, adminReset, callerChanges],
  setup: setupAuth,
})
