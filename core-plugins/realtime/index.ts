import { definePlugin } from '#kernel'
import { wireFeed } from './contract.ts'
import { needs } from './needs.ts'
import { setupRealtime } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'realtime',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  messages: texts.messages,
  needs,
  provides: [wireFeed],
  setup: (scope, needed) => setupRealtime(scope, needed),
})
