import { definePlugin, type Plugin } from '#kernel'
import { tenantConfigWorkflow } from '../../../core-plugins/config/contract.ts'

/**
 * A plugin with two effects of one key, each of which writes down that it began; where it is `stuck` the second one never ends,
 * and says so.
 */
export function followerOf(isStuck: boolean): Plugin {
  return definePlugin({
    name: 'follower',
    version: '1.0.0',
    title: { default: 'Follower' },
    description: { default: 'Counts what follows a write' },
    needs: { workflow: tenantConfigWorkflow },
    setup(scope, { workflow }) {
      for (const name of ['test.first', 'test.second']) {
        const run = async (): Promise<void> => {
          await scope.db('test_effects').insert({ effect: name, host: scope.hostId })
          if (!isStuck || name === 'test.first') return
          process.stdout.write('stuck\n')
          await new Promise(() => undefined)
        }
        scope.use(workflow.registerEffect({ name, keys: ['login_title'], run }))
      }
    },
  })
}
