// @both-back-ends
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { withBackupLock } from '../../../core-plugins/backup/backup-lock.ts'
import { openSession } from '../../../core-plugins/backup/database/session.ts'
import { takeBackup } from '../../../core-plugins/backup/take-backup.ts'
import { BackupTarget } from '../../../core-plugins/backup/target/backup-target.ts'
import { corePlugins } from '../../../core-plugins/index.ts'
import { createLocalDriver } from '../../../core-plugins/storage/drivers/local/local-driver.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { silentLog } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'

const lost = /The connection that keeps other backups away was lost/

describe('a backup whose lock is lost', () => {
  let folder: string

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'stoa-lock-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  async function endSessions(url: string): Promise<void> {
    await using session = await openSession(url, 'test')
    await session.client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'stoa-backup'`,
    )
  }

  it('hears of it, and may not be finished', async () => {
    await using database = await createTestDatabase()
    await withBackupLock(database.url, async ({ signal, confirm }) => {
      await confirm()
      await assert.rejects(
        withBackupLock(database.url, () => Promise.resolve()),
        /is being made already/,
      )
      const ended = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      await endSessions(database.url)
      await ended
      assert.match((signal.reason as Error).message, lost)
      await assert.rejects(confirm, lost)
    })
  })

  for (const [name, isHeard] of [
    ['is given up at the next step', true],
    ['is given up before it is there, also where nothing was heard', false],
  ] as const) {
    it(name, async () => {
      await using database = await createTestDatabase(migratedFor(corePlugins, silentLog))
      const root = path.join(folder, String(isHeard))
      const volume = createLocalDriver('/').open({ root }, 'platform')
      const target = await BackupTarget.openFor('this one', volume, undefined)
      const making = withBackupLock(database.url, ({ signal, confirm }) =>
        takeBackup(
          {
            ...{ databaseUrl: database.url, openVolume: () => volume, secrets: { open: (sealed) => sealed } },
            ...{ keys: { fernet: [], app: 'this one' }, secretsFile: undefined, platformVersion: '0.0.0' },
            async holdBytes() {
              await endSessions(database.url)
              return { [Symbol.asyncDispose]: () => Promise.resolve() }
            },
          },
          target,
          {
            ...{ allFiles: false, allowMissing: false, progress: () => undefined, confirm },
            ...(isHeard && { signal }),
          },
        ),
      )
      await assert.rejects(making, lost)
      assert.deepEqual(await target.list(), [])
      assert.ok(!(await readdir(root)).includes('manifests'))
    })
  }
})
