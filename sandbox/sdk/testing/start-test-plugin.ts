import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { createFakes } from '../../broker/providers.ts'
import type { PluginMigration } from '../../migrations/compile-migrations.ts'
import { findServiceMethod } from '../../plugin/service-method.ts'
import { createSandbox } from '../../sandbox.ts'
import type { PluginManifest } from '../../manifest/plugin-manifest.ts'
import type { Release } from '../../services.ts'
import { CallLog } from './call-log.ts'
import type { TestOptions, TestPluginWithoutPages } from './contract.ts'
import { startScratchDatabase } from './scratch-database.ts'
import { RunningTestPlugin } from './test-plugin.ts'
import { createTestServices } from './test-services.ts'

/** What is tested, and where. */
export interface PluginUnderTest {
  readonly release: Release
  readonly migrations: readonly PluginMigration[]
  /** Of other plugins what their services are, as far as the author has a copy of it. */
  readonly others?: readonly PluginManifest[]
  /** The folder that the release lies in, and nothing else that matters. */
  readonly releases: string
  /** A folder for what the test leaves. */
  readonly scratch: string
  /** Disposed of after the plugin, or when it does not start. */
  readonly resources: AsyncDisposable
}

/** Starts a plugin in a real sandbox host; throws 400/4009 when the platform would not load it. */
export async function startTestPlugin(
  { release, migrations, others = [], releases, scratch, resources: own }: PluginUnderTest,
  options: TestOptions = {},
): Promise<TestPluginWithoutPages> {
  await using resources = new AsyncDisposableStack()
  resources.use(own)
  const { manifest } = release
  const log = new CallLog()
  const password = randomBytes(24).toString('base64url')
  const tables = { manifest, migrations, password }
  const database = manifest.db
    ? resources.use(await startScratchDatabase(path.join(scratch, 'database'), tables, log.logger))
    : { urlFor: () => 'postgres://nobody@localhost/none' }
  const findMethod = (provider: string, service: string, method: string) => {
    const other = others.find(({ name }) => name === provider)
    return other && (findServiceMethod(other, service, method) ?? 'absent')
  }
  const { services, seen } = createFakes({ manifest, given: options, findMethod, database, password })
  const surroundings = createTestServices(services, options, log.logger)
  const sandbox = resources.use(await createSandbox(surroundings, { releases, lanes: 1, isForTests: true }))
  await sandbox.checkLoad(release)
  return Object.assign(new RunningTestPlugin({ release, sandbox, options, log, resources: resources.move() }), seen)
}
