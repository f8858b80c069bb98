// @both-back-ends
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { generateFernetKey } from '#kernel'
import { openDatabase } from '../../../kernel/data/database.ts'
import { childEnv } from '../../support/child-env.ts'
import { startBackEnd, type BackEnd } from '../../support/back-end.ts'
import { freePort } from '../../support/free-port.ts'
import { checkout } from '../../support/host-process.ts'
import { silentLog } from '../../support/kernel.ts'

const entry = path.join(checkout, 'core-plugins', 'start.js')
const secrets = {
  APP_SECRET: randomBytes(32).toString('base64url'),
  JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  CONFIG_FERNET_KEYS: generateFernetKey(),
}
/** Whether this user may mount a file system of its own. */
const mayMount = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

describe('a start that cannot be', () => {
  let dataDir: string
  let backEnd: BackEnd

  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-start-'))
    backEnd = await startBackEnd()
  })
  after(async () => {
    await backEnd[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** What it says and its exit code. */
  async function start(
    env: Readonly<Record<string, string>>,
    [program, ...before]: readonly [string, ...string[]] = [process.execPath],
  ): Promise<readonly [string, number | null]> {
    const port = String(await freePort())
    const all = { ...childEnv, PORT: port, DATA_DIR: dataDir, LOG_LEVEL: 'error', STOA_DEMO: '0', ...env }
    return new Promise((resolve) => {
      const child = execFile(program, [...before, entry], { env: all }, (_, stdout, stderr) =>
        resolve([stdout + stderr, child.exitCode]),
      )
    })
  }

  it('because its port is taken says so in one line, before it touches the database', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const refused = await start({ PORT: String(port), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere' })
    server.close()
    assert.deepEqual(refused, [
      `127.0.0.1:${port} cannot be listened on (HOST and PORT): another program listens there\n`,
      1,
    ])
  })

  it('because its folder cannot be made says so in one line', async () => {
    const file = path.join(dataDir, 'file')
    await writeFile(file, '')
    const [words, code] = await start({ ...backEnd.env, DATA_DIR: path.join(file, 'below') })
    assert.match(words, /^.*ENOTDIR.*\n$/)
    assert.equal(code, 1)
  })

  it('because its database was migrated by a newer version says so in one line, and migrates nothing', async () => {
    await using newer = await startBackEnd()
    await using database = await openDatabase({ url: String(newer.env['DATABASE_URL']), poolSize: 1, log: silentLog })
    const { knex } = database
    const refusals = []
    for (const record of [
      { plugin: 'kernel', name: '900-later.ts' },
      { plugin: 'users', name: '900-later.ts' },
      { plugin: 'of_the_future', name: '001-things.ts' },
    ]) {
      await knex('schema_migrations').insert(record)
      refusals.push(await start(newer.env))
      await knex('schema_migrations').where(record).delete()
    }
    const newerThan = (migration: string, plugin: string) => [
      `The database belongs to a newer version of Stoa: this one does not know the migration ${migration} of ${plugin}. Start that version, or a later one\n`,
      1,
    ]
    assert.deepEqual(refusals, [
      newerThan('900-later.ts', 'kernel'),
      newerThan('900-later.ts', 'users'),
      newerThan('001-things.ts', 'of_the_future'),
    ])
  })

  if (mayMount) {
    it('because its disk is full or read-only says so in one line', async () => {
      const folder = path.join(dataDir, 'mounted')
      await mkdir(folder)
      const mounted = (options: string): readonly [string, ...string[]] => {
        const mount = `mount -t tmpfs -o ${options} none ${folder} && exec ${process.execPath} "$0"`
        return ['unshare', '--mount', 'sh', '-c', mount]
      }
      const full = await start({ DATA_DIR: folder }, mounted('size=4m,mode=755'))
      const readOnly = await start({ DATA_DIR: folder }, mounted('ro'))
      const below = await start({ ...backEnd.env, ...secrets, DATA_DIR: folder }, mounted('ro'))
      assert.match(full[0], /^The embedded PostgreSQL cannot be set up: .*No space left on device\n$/)
      assert.match(readOnly[0], /^\S+mounted\/\S+: the file system is read-only \(EROFS\)\n$/)
      assert.match(below[0], /^.*mounted\/.*\n$/)
      assert.deepEqual([full[1], readOnly[1], below[1]], [1, 1, 1])
    })
  }
})
