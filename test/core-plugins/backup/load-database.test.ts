import assert from 'node:assert/strict'
import { BackupError } from '../../../core-plugins/backup/backup-error.ts'
import { loadDatabase } from '../../../core-plugins/backup/database/load-database.ts'
import { openSession } from '../../../core-plugins/backup/database/session.ts'
import type { BackupManifest } from '../../../core-plugins/backup/manifest.ts'
import type { BackupTarget } from '../../../core-plugins/backup/target/backup-target.ts'
import { createTestDatabase } from '../../support/cluster.ts'

describe('loading a database from a backup', () => {
  const schema = { before: ['create table kept (n int)'], after: [], positions: [] }
  const target = { getPart: () => Promise.resolve(Buffer.from('1\n2\n')) } as unknown as BackupTarget

  async function load(rows: number): Promise<void> {
    await using database = await createTestDatabase()
    await using session = await openSession(database.url, 'test')
    const table = { name: 'kept', columns: ['n'], rows, sha256: '', parts: [{ sha256: '', bytes: 4 }] }
    const manifest = { tables: [table] } as unknown as BackupManifest
    await session.client.query('begin')
    await loadDatabase(session, { target, manifest, schema, progress: () => undefined })
    assert.equal((await session.client.query('select n from kept')).rowCount, 2)
  }

  it('takes the rows that the backup says it has', async () => load(2))

  it('is refused where there are fewer rows or more', async () => {
    for (const said of [1, 3]) await assert.rejects(load(said), BackupError)
  })
})
