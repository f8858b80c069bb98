import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { generateFernetKey } from '#kernel'
import { childEnv } from '../../support/child-env.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import type { Platform } from '../../support/platform.ts'
import { packSmall } from '../../support/small-plugin.ts'

/** What hosts of one platform have in common. */
export const clusterSecrets = {
  APP_SECRET: randomBytes(32).toString('base64url'),
  JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  CONFIG_FERNET_KEYS: generateFernetKey(),
}

/** Another host of the platform, in a process of its own. */
export interface OtherHost extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  readonly dataDir: string
  /** SIGKILL, as a crash; resolves when it is gone. */
  kill(): Promise<void>
}

/** Starts another host of a platform and waits until it listens. */
export async function startOtherHost({ host }: Platform): Promise<OtherHost> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-test-'))
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'cluster-host.ts')], {
    env: {
      ...{ ...childEnv, NODE_ENV: 'test', HOST: '127.0.0.1', STOA_DEMO: '0', LOG_LEVEL: 'error' },
      ...{ DATA_DIR: dataDir, DATABASE_URL: host.databaseUrl, REDIS_URL: testRedisUrl() ?? '' },
      ...{ NAMESPACE: host.namespace, ...clusterSecrets },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
    await rm(dataDir, { recursive: true, force: true })
  }
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const found = /listening at (\S+)\n/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', () => reject(new Error(`the host ended: ${output}`)))
  })
  return { url, pid: child.pid ?? 0, dataDir, kill, [Symbol.asyncDispose]: kill }
}

/** A plugin that writes down its runs and events, and never ends the first attempt at what is called `slow`. */
export function packWitness(): Promise<Buffer> {
  const definition = `{
    handlers: {
      async say({ body }, { events }) {
        for (const text of body.texts) await events.publish('acme.witness.said', { text })
        return { said: body.texts.length }
      },
      fail() { throw new Error('broken') },
      seen: async (_, ctx, db) => ({ items: (await db.table('seen').select().orderBy('id').limit(1000)).map(({ what }) => JSON.parse(what)) }),
    },
    schedules: {
      quick: (run, ctx, db) => note(db, { ...run, what: run.id }),
      async slow(run, ctx, db) { await note(db, { ...run, what: run.id }); await hang(run) },
    },
    events: {
      async 'acme.witness.said'({ id, payload, attempt }, ctx, db) {
        await note(db, { what: payload.text, run_id: id, attempt })
        if (payload.text === 'slow') await hang({ attempt })
      },
    },
  }
  function note(db, what) { return db.table('seen').insert({ what: JSON.stringify(what) }) }
  function hang({ attempt }) { return attempt === 1 ? new Promise(() => {}) : undefined }`
  const quick = Array.from({ length: 8 }, (_, index) => ({ id: `q${index}`, cron: '0 0 1 1 *', handler: 'quick' }))
  return packSmall(
    'acme.witness',
    {
      capabilities: ['schedule', 'events', 'db:own_tables'],
      reasons: { schedule: 'Keeps time.', events: 'Talks.', 'db:own_tables': 'Remembers.' },
      events: { publish: ['acme.witness.said'], subscribe: ['acme.witness.said'] },
      db: { tables: ['seen'], migrations: 'migrations/' },
      schedules: [...quick, { id: 'slow', cron: '0 0 1 1 *', handler: 'slow' }],
      admin_routes: [
        { method: 'POST', path: '/say', handler: 'say' },
        { method: 'POST', path: '/fail', handler: 'fail' },
        { method: 'GET', path: '/seen', handler: 'seen' },
      ],
    },
    definition,
    { 'migrations/0001_init.up.sql': 'create table seen (id bigserial primary key, what text not null);' },
  )
}
