import { definePlugin } from '#kernel'
import { groups } from './declared/groups.ts'
import { needs } from './needs.ts'
import { setupRetention } from './setup.ts'
import { texts } from './texts/texts.ts'

// A plugin of its own, since configuration needs the log itself.
export default definePlugin({
  name: 'retention',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  config: groups,
  needs,
  setup: setupRetention,
})
