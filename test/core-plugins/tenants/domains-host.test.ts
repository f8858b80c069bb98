import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { hostName } from '../../../kernel/http/ip.ts'
import { startTestPlatform, testPassword, type TestPlatform } from '../../support/identity.ts'

const path = '/api/public/tenant/config'

/** What a Host header is the name of; '' is none. */
const spellings: readonly (readonly [header: string, name: string])[] = [
  ['acme.localhost', 'acme.localhost'],
  ['ACME.LocalHost', 'acme.localhost'],
  ['acme.localhost:3000', 'acme.localhost'],
  ['acme.localhost.', 'acme.localhost'],
  ['acme.localhost.:443', 'acme.localhost'],
  ['acme.localhost:', 'acme.localhost'],
  [' acme.localhost ', 'acme.localhost'],
  ['bücher.example', 'xn--bcher-kva.example'],
  [Buffer.from('bücher.example').toString('latin1'), 'xn--bcher-kva.example'],
  ['[::1]', '[::1]'],
  ['[2001:DB8::7]:8443', '[2001:db8::7]'],
  ['127.0.0.1:3000', '127.0.0.1'],
  ['', ''],
  ['   ', ''],
  ['.', ''],
  ['acme..localhost', ''],
  ['acme localhost', ''],
  ['a@acme.localhost', ''],
  ['a:b@acme.localhost', ''],
  ['acme.localhost/x', ''],
  ['acme.localhost?x', ''],
  ['acme.localhost,evil.example', ''],
  ['acme.localhost:80:80', ''],
  ['acme.localhost\\', ''],
  ['acme.localhost\u0000', ''],
  ['%61cme.localhost', ''],
  ['[::1', ''],
  ['[acme.localhost]', ''],
  ['::1', ''],
  [`${'a'.repeat(64)}.localhost`, ''],
  [`${'a.'.repeat(127)}localhost`, ''],
  ['a'.repeat(10_000), ''],
]

describe('the name in a Host header', () => {
  for (const [header, name] of spellings) {
    const shown = JSON.stringify(header.length > 40 ? `${header.slice(0, 40)}…` : header)
    it(`${shown} is ${name || 'none'}`, () => assert.equal(hostName(header), name))
  }
})

describe('the tenant of a request', () => {
  let platform: TestPlatform
  before(async () => {
    platform = await startTestPlatform()
    await platform.createTenant('acme')
  })
  after(() => platform[Symbol.asyncDispose]())

  const trust = (...proxies: readonly string[]) =>
    platform.admin.put('/admin/configs/groups/platform_domain', { trusted_proxies: proxies })
  const forwarded = async (host: string) => {
    const headers = { 'x-forwarded-host': host }
    return (await platform.test.api.get(path, { host: 'localhost', headers })).body['code']
  }

  it('is nobody’s under a hostile Host, and never a fault of ours', async () => {
    const lines = [
      'Host: a@acme.localhost',
      'Host: acme localhost',
      'Host:',
      `Host: ${'a'.repeat(5000)}`,
      'Host: [::1',
      'Host: \xc3\xa9\xff',
    ]
    const statuses = await Promise.all(
      lines.map((line) => statusOf(platform.test.url, `GET ${path} HTTP/1.1\r\n${line}`)),
    )
    assert.deepEqual(
      statuses,
      lines.map(() => 404),
    )
  })

  it('is the one that a trusted proxy names, however the proxy is written', async () => {
    const answers = []
    for (const entry of [
      '10.0.0.0/8',
      '127.0.0.1',
      '127.0.0.0/8',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::ffff:127.0.0.0/104',
      '0.0.0.0/0',
    ]) {
      await trust(entry)
      answers.push([entry, await forwarded('ACME.localhost:443, other.localhost')])
    }
    await trust('127.0.0.1')
    const others = [await forwarded('nobody.localhost'), await forwarded('evil@acme.localhost'), await forwarded('')]
    await trust()
    assert.deepEqual(
      answers.map(([entry, code]) => [entry, code]),
      [
        ['10.0.0.0/8', 4041],
        ['127.0.0.1', 0],
        ['127.0.0.0/8', 0],
        ['::ffff:127.0.0.1', 0],
        ['::ffff:7f00:1', 0],
        ['::ffff:127.0.0.0/104', 0],
        ['0.0.0.0/0', 0],
      ],
    )
    assert.deepEqual([...others, await forwarded('acme.localhost')], [4041, 4041, 4041, 4041])
  })

  it('is another one as soon as the platform’s names change', async () => {
    const get = async (host: string) => (await platform.test.api.get(path, { host })).body['code']
    const before = [await get('acme.stoa.example'), await get('acme.localhost')]
    await platform.admin.put('/admin/configs/groups/platform_domain', { tenant_domain_suffix: 'Stoa.Example' })
    const during = [await get('acme.stoa.example'), await get('acme.localhost'), await get('x.acme.stoa.example')]
    await platform.admin.put('/admin/configs/groups/platform_domain', { tenant_domain_suffix: 'localhost' })
    assert.deepEqual(
      [before, during],
      [
        [4041, 0],
        [0, 4041, 4041],
      ],
    )
  })

  it('below the platform’s suffix is no domain that a tenant may bind', async () => {
    const { owner } = await platform.createTenant('binder')
    const set = (suffix: string) =>
      platform.admin.put('/admin/configs/groups/platform_domain', { tenant_domain_suffix: suffix })
    await set('stoa.example')
    const codes: unknown[] = []
    for (const domain of ['stoa.example', 'acme.stoa.example', 'a.b.stoa.example', 'mystoa.example'])
      codes.push((await owner.post('/tenant/domains', { domain })).body['code'])
    await set('localhost')
    assert.deepEqual(codes, [4228, 4228, 4228, 0])
  })

  it('is there a moment after it was created, although it was asked for before', async () => {
    const get = async () => (await platform.test.api.get(path, { host: 'fresh.localhost' })).body['code']
    const before = await get()
    const owner = { email: 'owner@fresh.test', password: testPassword }
    await platform.admin.post('/admin/tenants', { code: 'fresh', name: 'Fresh', owner })
    assert.deepEqual([before, await get()], [4041, 0])
  })
})

/** The status of the answer to a request that is written by hand. */
function statusOf(url: string, head: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { port, hostname } = new URL(url)
    const socket = connect(Number(port), hostname, () => {
      socket.write(Buffer.from(`${head}\r\nConnection: close\r\n\r\n`, 'latin1'))
    })
    let text = ''
    socket.setEncoding('latin1').on('data', (part: string) => (text += part))
    socket.on('error', reject)
    socket.on('end', () => resolve(Number(text.split(' ')[1])))
  })
}
