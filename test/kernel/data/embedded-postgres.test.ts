// @own-back-end
import assert from 'node:assert/strict'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { openDatabase } from '../../../kernel/data/database.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../kernel/data/embedded-postgres.ts'
import { recordingLog } from '../../support/recording-log.ts'
import { until } from '../../support/until.ts'

const program = path.join(import.meta.dirname, '../../support/embedded-member.ts')
const copy = promisify(execFile)
const quick = { fsync: 'off', full_page_writes: 'off' }

interface Member {
  readonly pid: number
  readonly url: string
  readonly process: ChildProcess
}

describe('embedded PostgreSQL', () => {
  let dataDir: string
  let made: string
  const { log, lines } = recordingLog()

  before(async () => {
    made = await mkdtemp(path.join(tmpdir(), 'stoa-embedded-'))
    await chmod(made, 0o711)
    await using postgres = await startEmbeddedPostgres({ dataDir: made, log, settings: quick })
    await query(postgres.url, 'create table kept as select 1 as id')
  })
  after(() => rm(made, { recursive: true, force: true }))
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-embedded-'))
    await chmod(dataDir, 0o711)
    lines.length = 0
  })
  afterEach(() => rm(dataDir, { recursive: true, force: true }))

  const pidFile = (): string => path.join(dataDir, 'pg/data/postmaster.pid')
  // To make the server's files takes seconds; most tests begin with a copy of some that were made.
  const begin = (): Promise<unknown> => copy('cp', ['-a', path.join(made, 'pg'), dataDir])
  const start = (): Promise<EmbeddedPostgres> => startEmbeddedPostgres({ dataDir, log, settings: quick })
  const query = async (url: string, sql: string): Promise<unknown[]> => {
    await using database = await openDatabase({ url, poolSize: 1, log })
    return (await database.knex.raw<{ rows: unknown[] }>(sql)).rows
  }
  const startMember = async (): Promise<Member> => {
    const child = spawn(process.execPath, [program, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] })
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    return { ...(JSON.parse(line) as { pid: number; url: string }), process: child }
  }
  const leave = async ({ process: child }: Member): Promise<void> => {
    child.stdin?.end()
    await once(child, 'exit')
  }

  it('starts, keeps its data, and leaves no process behind', async () => {
    assert.equal(existsSync(path.join(made, 'pg/data/postmaster.pid')), false)
    await begin()
    await using again = await start()
    assert.deepEqual(await query(again.url, 'select * from kept'), [{ id: 1 }])
  })

  it('has a role with the rights the platform needs and no more, and lets nobody in without its password', async () => {
    await begin()
    await using postgres = await start()
    const rights = 'rolsuper, rolbypassrls, rolcreaterole, rolcreatedb'
    assert.deepEqual(
      {
        role: await query(postgres.url, `select rolname, ${rights} from pg_roles where rolname = current_user`),
        owner: await query(
          postgres.url,
          `select pg_get_userbyid(datdba) as owner from pg_database where datname = 'stoa'`,
        ),
        listens: await query(postgres.url, 'show listen_addresses'),
        socket: (await stat(path.join(dataDir, 'pg/run'))).mode & 0o777,
      },
      {
        role: [{ rolname: 'stoa', rolsuper: false, rolbypassrls: false, rolcreaterole: true, rolcreatedb: false }],
        owner: [{ owner: 'stoa' }],
        listens: [{ listen_addresses: '' }],
        socket: 0o700,
      },
    )
    for (const user of ['stoa:wrong', 'postgres:', 'postgres:x']) {
      const url = postgres.url.replace(/\/\/[^@]*@/, `//${user}@`)
      await assert.rejects(query(url, 'select 1'), { name: 'StartError' })
    }
  })

  it('runs for several processes until the last one leaves', async () => {
    await begin()
    const first = await startMember()
    const second = await startMember()
    assert.equal(first.pid, second.pid)
    await leave(first)
    assert.deepEqual(await query(second.url, 'select 1 as one'), [{ one: 1 }])
    await leave(second)
    assert.equal(existsSync(pidFile()), false)
  })

  it('is made once when several processes start at the same time', async () => {
    const members = await Promise.all([startMember(), startMember(), startMember()])
    assert.equal(new Set(members.map((member) => member.pid)).size, 1)
    await Promise.all(members.map(leave))
    assert.equal(existsSync(pidFile()), false)
  })

  it('stays for the others when one process is killed, and stops when the last one is', async () => {
    await begin()
    const [first, second] = [await startMember(), await startMember()]
    first.process.kill('SIGKILL')
    await once(first.process, 'exit')
    assert.deepEqual(await query(second.url, 'select 1 as one'), [{ one: 1 }])
    second.process.kill('SIGKILL')
    await until(() => !existsSync(pidFile()))
    await using postgres = await start()
    assert.deepEqual(await query(postgres.url, 'select 1 as one'), [{ one: 1 }])
  })

  it('comes back with its data when the server is killed under a running process', async () => {
    await begin()
    await using postgres = await startEmbeddedPostgres({ dataDir, log })
    await query(postgres.url, 'insert into kept values (2)')
    const killed = postgres.pid
    process.kill(killed, 'SIGKILL')
    await until(() => postgres.pid !== killed)
    assert.deepEqual(await query(postgres.url, 'select * from kept'), [{ id: 1 }, { id: 2 }])
    assert.ok(lines.includes('error: The embedded PostgreSQL is gone and started again'))
  })

  it('starts over a postmaster.pid that names another living process', async () => {
    await begin()
    await writeFile(pidFile(), [process.pid, '/nowhere', 1, 5432, '/nowhere', '', '  1  1', 'ready   ', ''].join('\n'))
    await using postgres = await start()
    assert.notEqual(postgres.pid, process.pid)
    assert.deepEqual(await query(postgres.url, 'select 1 as one'), [{ one: 1 }])
  })

  it('starts over a set-up that was cut off', async () => {
    await begin()
    await rm(path.join(dataDir, 'pg/data/PG_VERSION'))
    await rename(path.join(dataDir, 'pg/data'), path.join(dataDir, 'pg/data.new'))
    await using postgres = await start()
    assert.deepEqual(await query(postgres.url, 'select 1 as one'), [{ one: 1 }])
  })

  it('runs in a folder that is closed to everybody else', async () => {
    await begin()
    await chmod(dataDir, 0o700)
    await using postgres = await start()
    assert.deepEqual(await query(postgres.url, 'select 1 as one'), [{ one: 1 }])
  })

  it('takes a data folder whose path is too long for a socket', async () => {
    const deep = path.join(dataDir, 'x'.repeat(120))
    await using postgres = await startEmbeddedPostgres({ dataDir: deep, log, settings: quick })
    const folder = new URL(postgres.url).searchParams.get('host') ?? ''
    assert.equal(path.dirname(folder), tmpdir())
    assert.deepEqual(await query(postgres.url, 'select 1 as one'), [{ one: 1 }])
    await postgres[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  it('says why it does not start', async () => {
    await begin()
    const wrong = startEmbeddedPostgres({ dataDir, log, settings: { max_connections: 'many' } })
    await assert.rejects(wrong, {
      name: 'StartError',
      message: /^The embedded PostgreSQL does not start: .*FATAL: .*max_connections/,
    })
    assert.match(await readFile(path.join(dataDir, 'pg/postgres.log'), 'utf8'), /max_connections/)
  })
})
