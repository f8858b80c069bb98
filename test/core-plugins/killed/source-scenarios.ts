import { rollbackSteps } from '../../../core-plugins/plugins/rollbacks/rollback-steps.ts'
import type { Api } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'
import type { HeldIndex } from './index.ts'
import { enabled, stepsOf, type Scenario } from './scenarios.ts'
import { scenarioOf } from './trial.ts'

/** What is done to plugins with releases that come from an index. */
export const sourceScenarios: readonly ((indexOf: () => HeldIndex) => Scenario)[] = [install, upgrade, rollBack]

function install(indexOf: () => HeldIndex): Scenario {
  return {
    ...scenarioOf('install'),
    title: 'install from an index',
    async prepare({ admin, name }) {
      await indexOf().publish(name, 'first')
      dataOf(await admin.post('/admin/plugins/sources/main/refresh'))
    },
    act: ({ admin, name }) => admin.post('/admin/plugins/install', { name }),
  }
}

function upgrade(indexOf: () => HeldIndex): Scenario {
  return {
    ...scenarioOf('upgrade'),
    title: 'upgrade from an index',
    async prepare({ admin, name }) {
      await indexOf().publish(name, 'first', 'narrow')
      await run(admin, name, '1.0.0')
    },
    act: ({ admin, name }) => admin.post(`/admin/plugins/${name}/upgrade`, { version: '1.1.0' }),
  }
}

/** To a release that never was here, which is fetched for it. */
function rollBack(indexOf: () => HeldIndex): Scenario {
  return {
    ...{ title: 'rollback from an index', kind: 'rollback', commits: 'commit' },
    steps: ['download', 'verify_package', ...stepsOf(rollbackSteps, 'verify', 'backup', 'gate', 'drain')],
    ...{ before: enabled('narrow'), after: enabled('first') },
    async prepare({ admin, name }) {
      await indexOf().publish(name, 'first', 'narrow')
      await run(admin, name, '1.1.0')
    },
    act: ({ admin, name }) => admin.post(`/admin/plugins/${name}/rollback`, { version: '1.0.0' }),
  }
}

async function run(admin: Api, name: string, version: string): Promise<void> {
  const plugin = `/admin/plugins/${name}`
  dataOf(await admin.post('/admin/plugins/sources/main/refresh'))
  const { consent } = dataOf(await admin.post('/admin/plugins/install', { name, version }), 201)
  const { release_hash, diff_hash } = consent ?? {}
  dataOf(await admin.post(`${plugin}/consent`, { accept: true, release_hash, diff_hash }))
  dataOf(await admin.post(`${plugin}/enable`))
  dataOf(await admin.post(`${plugin}/api/put`, { text: 'kept' }))
}
