import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { dataOf, restartPlugin, type HostilePlatform, type Owner } from '../../support/hostile-platform.ts'
import { until } from '../../support/until.ts'
import { statements } from './statements.ts'
import { nearUrls, oddUrls } from './urls.ts'

const attacker = '/tenant/plugins/evil.attacker/api'
const secrets = '/tenant/plugins/good.neighbour/api/secrets'
const secret = 'neighbour-secret-row'
/** How a guest's code tells of what it tried: a refusal's code and reason, or what it got. */
const tell = `const tell = (work) => Promise.resolve().then(work).then((got) => ({ got: got ?? null }), (error) => error.code + ' ' + (error.details?.reason ?? error.message));`

/** By its address, by the grant, as no URL at all, or for want of an address. */
const refusal =
  /^(forbidden (address_forbidden|host_not_granted)|bad_request argument_invalid|upstream name_not_resolved)$/

const storageKeys = [
  ...[
    '../escaped',
    'a/../../escaped',
    '/escaped',
    '\\\\escaped',
    'a\\\\..\\\\escaped',
    './escaped',
    'escaped/',
    'a//escaped',
  ],
  ...['..', '.', '', 'esc\\0aped', 'esc\\naped', 'esc\\u202e\\ud800aped', 'e\\u0301scaped', 'escaped\\ufffe'],
]
const harmlessKeys = [
  '%2e%2e%2fescaped',
  '..%2fescaped',
  'plugins/good.neighbour/1/escaped',
  'escaped:stream',
  'CON',
  '~/escaped',
]

/** Capabilities that were granted, asked for more than that. */
export function abuseCapabilities(platformOf: () => HostilePlatform): void {
  before(async () => {
    await restartPlugin(platformOf())
    const { demo, other } = platformOf()
    for (const { api } of [demo, other]) dataOf(await api.post(secrets, { secret }))
  })

  async function run({ api }: Owner, code: string): Promise<unknown> {
    return dataOf(await api.post(`${attacker}/run`, { code: `${tell}\n${code}` }))
  }

  async function fetchAll(owner: Owner, urls: readonly string[]): Promise<readonly [string, unknown][]> {
    const { host, upstreamPort } = platformOf()
    const asked = urls.map((url) =>
      url.replace('PORT', new URL(host.url).port).replace('UPSTREAM', String(upstreamPort)),
    )
    const code = `const urls = ${JSON.stringify(asked)}
      return Promise.all(urls.map((url) => tell(async () => (await ctx.http.fetch({ url })).body)))`
    const outcomes = (await run(owner, code)) as unknown[]
    return urls.map((url, index) => [url, outcomes[index]])
  }

  it('reaches nothing near the platform, however it is spelled', async () => {
    const { demo, other, reached } = platformOf()
    const all = [...nearUrls, ...oddUrls]
    for (let start = 0; start < all.length; start += 15) {
      const outcomes = await fetchAll(start < 30 ? demo : other, all.slice(start, start + 15))
      for (const [url, outcome] of outcomes)
        assert.match(String(outcome), refusal, `${url}: ${JSON.stringify(outcome)}`)
    }
    assert.deepEqual(reached, [])
  })

  it('is sent elsewhere and does not go', async () => {
    const { demo, host, upstreamPort, reached } = platformOf()
    const to = encodeURIComponent(`${host.url}/api/public/health`)
    const code = `const url = 'http://upstream.localhost:${upstreamPort}/redirect?to=${to}'
      const { status, headers } = await ctx.http.fetch({ url })
      return { status, location: headers.location }`
    assert.deepEqual(await run(demo, code), { status: 302, location: `${host.url}/api/public/health` })
    assert.equal(reached.length, 1)
  })

  it('takes nothing of the platform along', async () => {
    const { demo, upstreamPort } = platformOf()
    const names = [
      ...['Host', 'Connection', 'Transfer-Encoding', 'Content-Length', 'Proxy-Authorization', 'X-Forwarded-For'],
      ...['a\r\nb', 'Upgrade'],
    ]
    const code = `const url = 'http://upstream.localhost:${upstreamPort}/'
      const names = ${JSON.stringify(names)}
      const refused = await Promise.all(names.map((name) => tell(() => ctx.http.fetch({ url, headers: { [name]: 'x' } }))))
      const { body } = await ctx.http.fetch({ url })
      return [refused, Object.keys(body.headers).sort()]`
    const refused = names.map(() => 'bad_request argument_invalid')
    assert.deepEqual(await run(demo, code), [refused, ['accept-encoding', 'connection', 'host', 'user-agent']])
  })

  it('queries no table and no column but its own', async () => {
    const { demo } = platformOf()
    const code = `return Promise.all([${statements.map(([code]) => `tell(() => ${code})`).join(', ')}])`
    const outcomes = (await run(demo, code)) as unknown[]
    assert.deepEqual(
      statements.map(([code], index) => [code, outcomes[index]]),
      statements,
    )
  })

  it('sees and changes no row of another tenant', async () => {
    const { demo, other } = platformOf()
    const mine = (await run(other, `return db.table('loot').insert({ label: 'of the other' })`)) as { id: number }
    const code = `const loot = () => db.table('loot')
      const theirs = ${mine.id}
      return [
        await loot().where('label', 'of the other'), await loot().where('id', theirs), await loot().where('tenant_id', ${other.tenantId}),
        await loot().where('label', 'of the other').count(), await loot().where('id', theirs).max('id'),
        await loot().where('id', theirs).update({ label: 'stolen' }), await loot().where('id', theirs).delete(),
        await tell(() => loot().insert({ tenant_id: ${other.tenantId}, label: 'planted' })),
        await tell(() => loot().where('id', '>', 0).update({ tenant_id: ${other.tenantId} })),
        await tell(() => loot().upsert({ id: theirs, label: 'stolen' }, 'id').then(({ label }) => label)),
      ]`
    const refused = 'bad_request statement_invalid'
    // The last is a row of its own that bears the same number.
    const own = { got: 'stolen' }
    assert.deepEqual(await run(demo, code), [[], [], [], 0, null, 0, 0, refused, refused, own])
    assert.deepEqual(await run(other, `return db.table('loot').where('id', ${mine.id})`), [mine])
  })

  it('keeps large and deep values within bounds', async () => {
    const { demo } = platformOf()
    const deep =
      'const deep = (depth) => { let value = 1; for (let i = 0; i < depth; i++) value = [value]; return value }'
    const outcomes: readonly (readonly [work: string, outcome: unknown])[] = [
      ["db.table('loot').insert({ label: 'x'.repeat(1e7) })", 'invalid argument_too_large'],
      ["db.table('loot').insert({ data: deep(500) })", 'invalid argument_too_deep'],
      ["db.table('loot').insert({ data: deep(90) }).then(() => 'kept')", { got: 'kept' }],
      [
        "db.table('loot').insert(Array.from({ length: 5000 }, () => ({ label: 'a' })))",
        'bad_request statement_invalid',
      ],
      ["db.table('loot').whereIn('id', Array.from({ length: 70000 }, (_, i) => i))", 'bad_request statement_invalid'],
      ["ctx.cache.set('x', deep(5000))", 'invalid argument_too_deep'],
      ["ctx.storage.put('x', { base64: '%%%' })", 'bad_request argument_invalid'],
      ["ctx.events.publish('evil.attacker.thing.done', 'x'.repeat(40000))", 'invalid event_too_large'],
    ]
    for (const [work, outcome] of outcomes) {
      assert.deepEqual(await run(demo, `${deep}\nreturn tell(() => ${work})`), outcome, work)
    }
  })

  it('names files within its own folder alone', async () => {
    const { other, dataDir } = platformOf()
    const list = (keys: readonly string[]): string => `[${keys.map((key) => `"${key}"`).join(', ')}, 'x'.repeat(600)]`
    const code = `const put = (key) => tell(() => ctx.storage.put(key, 'x'))
      return [await Promise.all(${list(storageKeys)}.map(put)), await Promise.all(${list(harmlessKeys)}.map(put)),
        await tell(() => ctx.storage.get('secret.txt')), await tell(async () => (await ctx.storage.list({ prefix: '' })).objects.map(({ key }) => key)),
        await tell(() => ctx.storage.list({ prefix: '../' })), await tell(() => ctx.storage.list({ cursor: '../../x' })),
        await tell(() => ctx.storage.signedUrl('../../secrets.json')), await tell(() => ctx.storage.get('__proto__'))]`
    const refused = 'bad_request argument_invalid'
    assert.deepEqual(await run(other, code), [
      [...storageKeys, 'long'].map(() => refused),
      [...harmlessKeys.map(() => ({ got: null })), refused],
      { got: null },
      { got: [...harmlessKeys].sort() },
      { got: { objects: [] } },
      refused,
      refused,
      { got: null },
    ])
    const files = await readdir(dataDir, { recursive: true })
    assert.deepEqual(
      files.filter((file) => file.includes('escaped') && !file.startsWith('storage/')),
      [],
    )
  })

  it('speaks in nobody else’s name, and reads no configuration and no cache but its own', async () => {
    const { demo } = platformOf()
    const names = [
      'good.neighbour.secret.kept',
      'kernel.tenant.created',
      'config.changed',
      'evil.attacker.other',
      '*',
      '__proto__',
    ]
    const keys = ['secret', 'jwt', '__proto__', 'constructor', 'plg_00000000_word', 'site_name']
    const code = `return [
      await Promise.all(${JSON.stringify(names)}.map((name) => tell(() => ctx.events.publish(name, {})))),
      await Promise.all(${JSON.stringify(keys)}.map((key) => tell(() => ctx.config.get(key)))), await ctx.config.all(),
      await Promise.all(['secret', '../secret', '${demo.tenantId}:secret', '2:secret', '*', 'plg:secret'].map((key) => tell(() => ctx.cache.get(key)))),
    ]`
    assert.deepEqual(await run(demo, code), [
      names.map(() => 'forbidden event_not_granted'),
      keys.map(() => 'invalid config_key_unknown'),
      { word: 'harmless' },
      Array.from({ length: 6 }, () => ({ got: null })),
    ])
  })

  it('left the neighbour as it was', async () => {
    const { demo, other } = platformOf()
    const file = Buffer.from(secret).toString('base64')
    const kept = { rows: [secret], file, cached: secret, config: 'neighbour-secret-config' }
    for (const { api } of [demo, other]) assert.deepEqual(dataOf(await api.get(secrets)), kept)
    await until(async () => Number(dataOf(await demo.api.get(`${attacker}/heard`))['heard']) > 0)
  })
}
