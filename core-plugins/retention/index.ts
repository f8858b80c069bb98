import { definePlugin, kernelStarted } from '#kernel'
import { audit } from '../access/contract.ts'
import { configReader } from '../config/contract.ts'
import { groups } from './declared/groups.ts'
import { texts } from './texts/texts.ts'

const day = 24 * 60 * 60_000
const hour = 60 * 60_000

// A plugin of its own, since configuration needs the log itself.
export default definePlugin({
  name: 'retention',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  config: groups,
  needs: { config: configReader, audit },
  setup(scope, { config, audit }) {
    const sweep = async (): Promise<void> => {
      const days = await config.get<number>('audit_retention_days', 0, 180)
      const deleted = await audit.deleteBefore(new Date(Date.now() - days * day))
      if (deleted > 0) scope.log.info({ deleted }, 'old lines of the audit log are deleted')
    }
    scope.on(kernelStarted, sweep)
    scope.every(hour, sweep)
  },
})
