import assert from 'node:assert/strict'
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import knex from 'knex'
import { BackupError } from '../../../core-plugins/backup/backup-error.ts'
import { checkPieces } from '../../../core-plugins/backup/restoring/check-pieces.ts'
import { BackupTarget } from '../../../core-plugins/backup/target/backup-target.ts'
import { createLocalDriver } from '../../../core-plugins/storage/drivers/local/local-driver.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { setupBackupWorld, type BackupWorld } from './world.ts'

const passphrase = { BACKUP_PASSPHRASE: 'correct horse battery staple' }

describe('a backup that was damaged', () => {
  let world: BackupWorld
  let whole: string

  before(async () => {
    world = await setupBackupWorld()
    whole = path.join(world.folder, 'encrypted')
    const made = await world.command('backup', ['--to', whole, '--encrypt'], passphrase)
    assert.equal(made.code, 0, made.stderr)
  })
  after(() => world[Symbol.asyncDispose]())

  const openTarget = (root: string): Promise<BackupTarget> =>
    BackupTarget.open(createLocalDriver('/').open({ root }, 'platform'), passphrase.BACKUP_PASSPHRASE)

  it('by one byte, by a byte too few or by a piece that is gone is noticed in every piece of it', async () => {
    const target = await openTarget(whole)
    const check = async (): Promise<void> => checkPieces(target, await target.getManifest(), () => undefined)
    await check()
    const pieces = await piecesOf(whole)
    assert.ok(pieces.some((piece) => piece.includes('/files/')))
    for (const piece of pieces) {
      const content = await readFile(piece)
      const changedAt = (at: number): Buffer => {
        const changed = Buffer.from(content)
        changed[at] = changed[at]! ^ 1
        return changed
      }
      const at = Math.floor(Math.random() * content.length)
      // The head says what follows, and is of the piece like all of it.
      const changed = [changedAt(0), changedAt(7), changedAt(8), changedAt(at)]
      for (const damage of [...changed, content.subarray(0, -1), content.subarray(0, 40), undefined]) {
        if (damage) await writeFile(piece, damage)
        else await rm(piece)
        await assert.rejects(check, BackupError, `${piece} at ${at}`)
      }
      await writeFile(piece, content)
    }
    await check()
  })

  it('says nothing of its content by its names, and gives nothing without the passphrase', async () => {
    const names = (await piecesOf(whole)).map((piece) => path.basename(piece))
    const { rows } = await world.platform.host.kernel.database.knex
      .raw<{ rows: { sha256: string }[] }>('select sha256 from storage_objects')
      .queryContext({ tenant: 'all' })
    assert.ok(rows.length > 0)
    assert.deepEqual(
      rows.filter(({ sha256 }) => names.includes(sha256)),
      [],
    )
    for (const piece of await piecesOf(whole)) assert.ok(!(await readFile(piece)).includes('content of the first'))
  })

  it('is refused by a restore before anything is written, like a wrong passphrase', async () => {
    const [list] = await readdir(path.join(whole, 'manifests'))
    const cases: readonly [string, (target: string) => Promise<void>, string | undefined, RegExp][] = [
      ['other', () => Promise.resolve(), 'another passphrase', /The passphrase is not the one of this target/],
      ['none', () => Promise.resolve(), '', /the passphrase is needed/],
      ['file', (target) => change(path.join(target, 'files')), undefined, /is damaged/],
      ['part', (target) => change(path.join(target, 'parts')), undefined, /is damaged/],
      ['cut', (target) => cut(path.join(target, 'manifests', list!)), undefined, /is damaged/],
      ['gone', (target) => rm(path.join(target, 'files'), { recursive: true }), undefined, /is missing/],
    ]
    await using database = await createTestDatabase()
    for (const [name, spoil, given, words] of cases) {
      const target = path.join(world.folder, name)
      await cp(whole, target, { recursive: true })
      await spoil(target)
      const dataDir = path.join(world.folder, `${name}-data`)
      await mkdir(dataDir)
      const env = {
        DATABASE_URL: database.url,
        DATA_DIR: dataDir,
        BACKUP_PASSPHRASE: given ?? passphrase.BACKUP_PASSPHRASE,
      }
      const ended = await world.command('restore', ['--from', target], env)
      assert.equal(ended.code, 1, name)
      assert.match(ended.stderr, words, name)
      assert.doesNotMatch(ended.stderr, /\n\s+at /)
      assert.deepEqual(await readdir(dataDir), [], name)
      assert.equal(await countTables(database.url), 0, name)
    }
  })

  it('fails to be made where row-level security could hide rows from it', async () => {
    const { knex: db } = world.platform.host.kernel.database
    await db.raw('create table hidden (id int); insert into hidden values (1)')
    await db.raw('alter table hidden enable row level security, force row level security')
    await db.raw(`create policy few on hidden using (id = 2)`)
    const ended = await world.command('backup', ['--to', path.join(world.folder, 'hiding')])
    await db.raw('drop table hidden')
    assert.equal(ended.code, 1)
    assert.match(ended.stderr, /hidden cannot be backed up: its row-level security may hide rows/)
  })

  it('fails to be made where bytes of a stored file are gone, unless it is told to go without them', async () => {
    const { knex: db } = world.platform.host.kernel.database
    const { rows } = await db
      .raw<{ rows: [{ location: string }] }>('select location from storage_objects limit 1')
      .queryContext({ tenant: 'all' })
    const file = path.join(world.env['DATA_DIR'] ?? '', 'storage', rows[0].location)
    const content = await readFile(file)
    await rm(file)
    const target = path.join(world.folder, 'lacking')
    const ended = await world.command('backup', ['--to', target])
    assert.equal(ended.code, 1)
    assert.match(ended.stderr, /The bytes of stored files are gone or damaged: local:/)
    const told = await world.command('backup', ['--to', target, '--allow-missing'])
    assert.match(told.stdout, /Not in it: files that are gone: local:/)
    assert.equal((await world.command('verify', ['--from', target])).code, 0)
    await writeFile(file, content)
  })
})

async function piecesOf(target: string): Promise<readonly string[]> {
  const found = await readdir(target, { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => entry.isFile() && /\/(parts|files|manifests)(\/|$)/.test(entry.parentPath))
    .map((entry) => path.join(entry.parentPath, entry.name))
}

/** Changes the last byte of the largest file below. */
async function change(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  const sizes = await Promise.all(files.map(async (file) => ({ file, size: (await stat(file)).size })))
  const { file } = sizes.sort((a, b) => b.size - a.size)[0]!
  const content = await readFile(file)
  content[content.length - 1]! ^= 1
  await writeFile(file, content)
}

async function cut(file: string): Promise<void> {
  const content = await readFile(file)
  await writeFile(file, content.subarray(0, content.length / 2))
}

async function countTables(url: string): Promise<number> {
  const db = knex({ client: 'pg', connection: url, pool: { min: 0, max: 1 } })
  try {
    const rows = await db('pg_class').whereRaw(`relnamespace = 'public'::regnamespace`)
    return rows.length
  } finally {
    await db.destroy()
  }
}
