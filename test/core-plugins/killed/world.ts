import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'
import knex, { type Knex } from 'knex'
import { corePlugins } from '../../../core-plugins/index.ts'
import { Api } from '../../support/api.ts'
import { createTestDatabase, testRedisUrl, type TestDatabase } from '../../support/cluster.ts'
import { silentLog } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'
import { dataOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { credentials, startMortalHost, type MortalHost } from './process.ts'

/** Hosts of one platform, of which the last is the one that dies. */
export class MortalPlatform implements AsyncDisposable {
  readonly db: Knex
  readonly dataDirs: readonly string[]
  readonly #database: TestDatabase
  readonly #redisUrl: string | undefined
  readonly #env: Readonly<Record<string, string>>
  readonly #namespace = randomUUID()
  readonly #hosts: MortalHost[] = []
  #token: { readonly value: string; readonly until: number } | undefined

  private constructor(
    database: TestDatabase,
    dataDirs: readonly string[],
    { redisUrl, env }: { redisUrl: string | undefined; env: Readonly<Record<string, string>> },
  ) {
    this.#redisUrl = redisUrl
    this.#env = env
    this.#database = database
    this.dataDirs = dataDirs
    this.db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 2 } })
  }

  /** Starts one host, or two that share a Redis and the folder of objects. */
  static async start(
    hosts: 1 | 2,
    {
      redisUrl = testRedisUrl(),
      env = {},
    }: { redisUrl?: string | undefined; env?: Readonly<Record<string, string>> } = {},
  ): Promise<MortalPlatform> {
    const database = await createTestDatabase(migratedFor(corePlugins, silentLog))
    const dataDirs = []
    for (let host = 0; host < hosts; host += 1) dataDirs.push(await mkdtemp(path.join(tmpdir(), 'stoa-killed-')))
    const [main = '', ...others] = dataDirs
    await mkdir(path.join(main, 'storage'))
    for (const other of others) await symlink(path.join(main, 'storage'), path.join(other, 'storage'))
    const platform = new MortalPlatform(database, dataDirs, { redisUrl: hosts > 1 ? redisUrl : undefined, env })
    const started = await Promise.allSettled(dataDirs.map((dataDir) => platform.#start(dataDir, dataDir === main)))
    for (const one of started) if (one.status === 'fulfilled') platform.#hosts.push(one.value)
    const failed = started.find((one) => one.status === 'rejected')
    if (!failed) return platform
    await platform[Symbol.asyncDispose]()
    throw failed.reason
  }

  /** All of them. */
  get hosts(): ReadonlySet<MortalHost> {
    return new Set(this.#hosts)
  }

  /** The host that is killed. */
  get victim(): MortalHost {
    const host = this.#hosts.at(-1)
    assert.ok(host)
    return host
  }

  /** One that goes on, or the same after its new start. */
  get other(): MortalHost {
    const [host] = this.#hosts
    assert.ok(host)
    return host
  }

  /** An administrator at a host. */
  async admin(host: MortalHost = this.victim): Promise<Api> {
    if (!this.#token || this.#token.until < Date.now()) {
      const { access_token: value } = dataOf(await new Api(host.url).post('/admin/auth/login/json', credentials))
      this.#token = { value: value as unknown as string, until: Date.now() + 5 * 60_000 }
    }
    return new Api(host.url, this.#token.value)
  }

  /** Starts the host that died, where it was. */
  async restart(): Promise<void> {
    const { dataDir } = this.victim
    this.#hosts[this.#hosts.length - 1] = await this.#start(dataDir)
  }

  /** As if the time had passed after which a silent host counts as dead: what it held is anybody's. */
  async ageDead(): Promise<void> {
    const holders = await this.db('plugin_locks').distinct().pluck<string[]>('holder')
    const then = { seen_at: this.db.raw(`now() - interval '1 min'`) }
    await this.db('plugin_hosts').whereIn('host_id', holders).update(then)
    await this.db('plugin_locks').update({ expires_at: this.db.raw(`now() - interval '1 s'`) })
  }

  /** Waits until nothing is done to a plugin any more. */
  async settled(plugin: string, milliseconds = 60_000): Promise<void> {
    const isOver = async () =>
      (await this.db('plugin_operations').where({ plugin, state: 'running' })).length === 0 &&
      (await this.db('plugin_locks').where({ plugin })).length === 0
    await until(isOver, milliseconds).catch(async () => {
      const rows = await this.db('plugin_operations').where({ plugin, state: 'running' })
      const locks = await this.db('plugin_locks').where({ plugin })
      assert.fail(`${JSON.stringify({ rows, locks })}\n${this.#hosts.map((host) => host.output()).join('\n')}`)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const host of this.#hosts) await host.kill()
    await this.db.destroy()
    await this.#database[Symbol.asyncDispose]()
    for (const dataDir of this.dataDirs) await rm(dataDir, { recursive: true, force: true })
  }

  #start(dataDir: string, isFirst = false): Promise<MortalHost> {
    const shared = {
      databaseUrl: this.#database.url,
      redisUrl: this.#redisUrl,
      namespace: this.#namespace,
      env: this.#env,
    }
    return startMortalHost({ ...shared, dataDir, isFirst })
  }
}
