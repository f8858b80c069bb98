import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { dataOf, restartPlugin, type HostilePlatform, type Owner } from '../support/hostile-platform.ts'
import { until } from '../support/until.ts'

const attacker = '/tenant/plugins/evil.attacker/api'
const secrets = '/tenant/plugins/good.neighbour/api/secrets'
const secret = 'neighbour-secret-row'
/** How a guest's code tells of what it tried: a refusal's code and reason, or what it got. */
const tell = `const tell = (work) => Promise.resolve().then(work).then((got) => ({ got: got ?? null }), (error) => error.code + ' ' + (error.details?.reason ?? error.message));`

/** Every way to write an address that is not public; the platform's own port stands for PORT. */
const addresses = [
  ...['127.0.0.1', '127.1', '0', '0.0.0.0', '2130706433', '0x7f000001', '017700000001', '0177.0.0.1', '127.0.0.1.'],
  ...[
    '127.127.127.127',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
  ],
  ...[
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '%31%32%37.0.0.1',
    '①②⑦.0.0.1',
    '127。0。0。1',
    'localhost',
    'LOCALHOST.',
  ],
  ...['stoa.localhost', 'loopback.example.com', 'loopback6.example.com', 'mapped.example.com', 'mixed.example.com'],
  'upstream.localhost.evil.example.com',
].map((host) => `http://${host}:PORT/api/public/health`)
const metadata = [
  ...[
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '[::ffff:169.254.169.254]',
    '[fd00:ec2::254]',
  ],
  ...['metadata.google.internal', 'metadata.example.com', '100.100.100.200', '168.63.129.16', 'private.example.com'],
  ...['10.0.0.1', '192.168.0.1', '172.16.0.1', '[fe80::1]', '[fc00::1]', '224.0.0.1', '255.255.255.255', '198.18.0.1'],
].map((host) => `http://${host}/latest/meta-data/`)
const otherUrls = [
  ...['file:///etc/passwd', 'ftp://127.0.0.1/', 'gopher://127.0.0.1:PORT/', 'data:text/plain,a', 'http:///etc/passwd'],
  ...[
    'http://user:pw@upstream.localhost:UPSTREAM/',
    'http://127.0.0.1:22/',
    'http://upstream.localhost:1/',
    '',
    '//127.0.0.1',
  ],
]

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

/** What each wish of a guest's for other tables and columns comes to. */
const statements: readonly (readonly [code: string, outcome: string])[] = [
  ...['users', 'tenants', 'plugins', 'public.users', 'pg_catalog.pg_roles', 'secrets', 'plg_00000000_secrets'].map(
    (name) => [`db.table(${JSON.stringify(name)})`, 'bad_request statement_invalid'] as const,
  ),
  ...['__proto__', 'constructor', 'toString', 'loot"; drop table users; --', 'loot l', 'LOOT', '', 'loot\\u0000'].map(
    (name) => [`db.table("${name.replaceAll('"', '\\"')}")`, 'bad_request statement_invalid'] as const,
  ),
  ...['{}', '[]', 'null', '1', '["loot"]', '{ toString: () => "users" }'].map(
    (name) => [`db.table(${name})`, 'bad_request statement_invalid'] as const,
  ),
  ...['__proto__', 'constructor', 'label = label or 1', '"label"', 'ctid', 'xmin', 'tableoid', '*'].flatMap(
    (name) =>
      [
        [`db.table("loot").where(${JSON.stringify(name)}, 1)`, 'bad_request statement_invalid'],
        [`db.table("loot").orderBy(${JSON.stringify(name)})`, 'bad_request statement_invalid'],
        [`db.table("loot").insert({ [${JSON.stringify(name)}]: 1 })`, 'bad_request statement_invalid'],
        [`db.table("loot").update({ [${JSON.stringify(name)}]: 1 })`, 'bad_request statement_invalid'],
      ] as const,
  ),
  ['db.table("loot").where("label", "= \'\' or", "a")', 'bad_request statement_invalid'],
  ['db.table("loot").where("label", "in", "(select 1)")', 'bad_request statement_invalid'],
  ['db.table("loot").where("label", "__proto__", 1)', 'bad_request statement_invalid'],
  ['db.table("loot").orderBy("id", "asc; drop table loot")', 'bad_request statement_invalid'],
  ['db.table("loot").limit("1; drop table loot")', 'bad_request statement_invalid'],
  ['db.table("loot").join("users", "loot.id", "users.id")', 'bad_request statement_invalid'],
  ['db.table("loot").join("loot", "loot.tenant_id", "loot.id")', 'bad_request statement_invalid'],
  ['db.table("loot").sum("label from users --")', 'bad_request statement_invalid'],
  ['db.table("loot").count("x\\" from users --")', 'bad_request statement_invalid'],
  ['db.table("loot").upsert({ id: 1, label: "a" }, "id) do nothing; --")', 'bad_request statement_invalid'],
  ['db.table("loot").insert({ label: { toString: "x" } })', 'invalid value_invalid'],
  ['db.table("loot").insert({ label: "a\\u0000b" })', 'invalid value_invalid'],
  ['db.table("loot").insert({ data: { a: "\\u0000" } })', 'invalid value_invalid'],
  ['db.table("loot").where("id", { raw: "1 or 1=1" })', 'invalid value_invalid'],
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
    const all = [...addresses, ...metadata, ...otherUrls]
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
    const code = `const deep = (depth) => { let value = 1; for (let i = 0; i < depth; i++) value = [value]; return value }
      return Promise.all([
        tell(() => db.table('loot').insert({ label: 'x'.repeat(1e7) }).then(() => 0)), tell(() => db.table('loot').insert({ data: deep(500) })),
        tell(() => db.table('loot').insert({ data: deep(90) }).then(() => 'kept')),
        tell(() => db.table('loot').insert(Array.from({ length: 5000 }, () => ({ label: 'a' }))).then(({ length }) => length)),
        tell(() => db.table('loot').whereIn('id', Array.from({ length: 70000 }, (_, i) => i))),
        tell(() => ctx.cache.set('x', deep(5000))), tell(() => ctx.storage.put('x', { base64: '%%%' })),
        tell(() => ctx.events.publish('evil.attacker.thing.done', 'x'.repeat(40000))),
      ])`
    assert.deepEqual(await run(demo, code), [
      'invalid the argument of db.query is too large',
      'invalid argument_too_deep',
      { got: 'kept' },
      'bad_request statement_invalid',
      'bad_request statement_invalid',
      'invalid argument_too_deep',
      'bad_request argument_invalid',
      'invalid event_too_large',
    ])
  })

  it('names files within its own folder alone', async () => {
    const { demo, dataDir } = platformOf()
    const list = (keys: readonly string[]): string => `[${keys.map((key) => `"${key}"`).join(', ')}, 'x'.repeat(600)]`
    const code = `const put = (key) => tell(() => ctx.storage.put(key, 'x'))
      return [await Promise.all(${list(storageKeys)}.map(put)), await Promise.all(${list(harmlessKeys)}.map(put)),
        await tell(() => ctx.storage.get('secret.txt')), await tell(async () => (await ctx.storage.list({ prefix: '' })).objects.map(({ key }) => key)),
        await tell(() => ctx.storage.list({ prefix: '../' })), await tell(() => ctx.storage.list({ cursor: '../../x' })),
        await tell(() => ctx.storage.signedUrl('../../secrets.json')), await tell(() => ctx.storage.get('__proto__'))]`
    const refused = 'bad_request argument_invalid'
    assert.deepEqual(await run(demo, code), [
      [...storageKeys, 'long'].map(() => refused),
      [...harmlessKeys.map(() => ({ got: null })), refused],
      { got: null },
      { got: [...harmlessKeys].sort() },
      { got: { objects: [] } },
      { got: { objects: [] } },
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
