import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { takeBackup } from '../../../core-plugins/backup/take-backup.ts'
import { BackupTarget } from '../../../core-plugins/backup/target/backup-target.ts'
import { corePlugins } from '../../../core-plugins/index.ts'
import { createLocalDriver } from '../../../core-plugins/storage/drivers/local/local-driver.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { silentLog } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'

const secretsFile = Buffer.from('{"APP_SECRET":"what opens everything"}')

describe('a place of backups', () => {
  let folder: string
  let plain: BackupTarget
  let sealed: BackupTarget
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'stoa-sealed-'))
    plain = await open('plain')
    sealed = await open('sealed', 'correct horse battery')
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const volumeIn = (name: string) => createLocalDriver('/').open({ root: path.join(folder, name) }, 'platform')
  const open = (name: string, passphrase?: string) => BackupTarget.openFor('this one', volumeIn(name), passphrase)

  it('names content by what it holds, and with a passphrase by that as well', async () => {
    const sha256 = 'ab'.repeat(32)
    const another = await open('another', 'staple once more')
    const names = [plain, sealed, another].map((target) => target.nameOf('part', sha256))
    assert.deepEqual([names[0], new Set(names.map((name) => path.basename(name))).size], [`parts/ab/${sha256}`, 3])
  })

  it('keeps the secrets of the platform with a passphrase alone', async () => {
    await using database = await createTestDatabase(migratedFor(corePlugins, silentLog))
    const source = {
      ...{ databaseUrl: database.url, openVolume: () => volumeIn('files'), secrets: { open: (text: string) => text } },
      ...{ keys: { fernet: [], app: 'this one' }, secretsFile, platformVersion: '0.0.0' },
      holdBytes: () => Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve() }),
    }
    const kept: unknown[] = []
    for (const target of [plain, sealed]) {
      const options = {
        allFiles: false,
        allowMissing: false,
        progress: () => undefined,
        confirm: () => Promise.resolve(),
      }
      const { secrets } = (await takeBackup(source, target, options)).manifest
      kept.push(secrets && (await target.getPart(secrets)).toString())
    }
    assert.deepEqual(kept, [null, secretsFile.toString()])
  })
})
