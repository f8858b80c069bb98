import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { generateFernetKey } from '#kernel'
import { Api } from '../support/api.ts'
import { packFixture } from '../support/packages.ts'
import { createTenant, dataOf } from '../support/platform.ts'
import { startRedisServer, type RedisServer } from '../support/redis-server.ts'
import { startS3Server } from '../support/s3-server.ts'
import { installAndEnable } from '../support/small-plugin.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { setGroup } from '../support/storage-world.ts'
import { packChaos } from './chaos-plugin.ts'
import { ChaosHost } from './chaos-host.ts'
import type { HostIndex } from './ledger.ts'
import { startPostgresServer, type PostgresServer } from './postgres-server.ts'

/** Two hosts of a platform with all that they stand on, each behind wires of its own. */
export interface World extends AsyncDisposable {
  readonly hosts: readonly [ChaosHost, ChaosHost]
  readonly postgres: PostgresServer
  readonly redis: RedisServer
  /** The wire to the bucket. */
  readonly files: TcpProxy
  readonly tenant: string
  /** The platform's administrator at a host. */
  admin(host: HostIndex): Api
  /** The tenant's owner at a host. */
  owner(host: HostIndex): Api
}

/** The password of everybody. */
export const password = 'a long enough passphrase'
const tenant = 'acme'
const adminEmail = 'admin@stoa.test'

/** Starts everything, with two plugins that the tenant uses and files in a bucket. */
export async function startWorld(): Promise<World> {
  await using started = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'stoa-chaos-'))
  started.defer(() => rm(folder, { recursive: true, force: true }))
  const postgres = started.use(await startPostgresServer())
  const redis = started.use(await startRedisServer())
  const s3 = started.use(await startS3Server())
  const files = started.use(await startTcpProxy({ port: s3.port }))
  const env = {
    ...{ NODE_ENV: 'production', HOST: '127.0.0.1', LOG_LEVEL: 'warn', STOA_DEMO: '0', PUBLIC_URL: 'http://stoa.test' },
    ...{ ADMIN_EMAIL: adminEmail, ADMIN_PASSWORD: password, EGRESS_ALLOW_PRIVATE: `localhost:${files.port}` },
    APP_SECRET: randomBytes(32).toString('base64url'),
    JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
    CONFIG_FERNET_KEYS: generateFernetKey(),
  }
  const open = async (name: string) =>
    started.use(await ChaosHost.start(path.join(folder, name), { env, database: postgres.url, redis: redis.url }))
  const hosts = [await open('one'), await open('two')] as const

  const first = new Api(hosts[0].url)
  const signedIn = dataOf(await first.post('/admin/auth/login/json', { email: adminEmail, password }))
  const admin = first.as(signedIn['access_token'])
  await setGroup(admin, 'platform_storage', {
    storage_driver: 's3',
    storage_config: s3.config({ endpoint: `http://localhost:${files.port}` }),
  })
  const { owner, id } = await createTenant(admin, tenant)
  for (const zip of [await packChaos(), await packFixture('guestbook')]) {
    const { name } = (await installAndEnable(admin, zip)) as { name?: unknown }
    dataOf(await admin.post(`/admin/plugins/${String(name)}/tenants`, { tenant_ids: [id] }))
    dataOf(await owner.post(`/tenant/plugins/${String(name)}/enable`))
  }
  const resources = started.move()
  return {
    ...{ hosts, postgres, redis, files, tenant: tenant },
    admin: (host) => admin.at(hosts[host].url),
    owner: (host) => owner.at(hosts[host].url),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
