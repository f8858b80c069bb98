import { deepEqual, equal } from 'node:assert/strict'
import { createGuardedConnect, createGuardedFetch, isPublicAddress, type EgressError } from '#kernel'
import { createGuardedConnector } from '../../../kernel/http/egress/guarded-connector.ts'
import { isExceptionAddress } from '../../../kernel/http/egress/public-address.ts'
import { startHttpWorld, type HttpWorld } from '../../support/http-world.ts'
import { forbiddenUrls, publicAddresses } from './guarded-fetch-addresses.ts'

describe('requests of the guarded client', () => {
  let world: HttpWorld
  const reasonOf = (url: string): Promise<string> =>
    world.client.fetch({ url: new URL(url), method: 'GET', timeoutMs: 2_000 }).then(
      ({ status }) => `status ${status}`,
      (error: unknown) => (error as EgressError).reason,
    )

  before(async () => (world = await startHttpWorld()))
  after(() => world[Symbol.asyncDispose]())
  beforeEach(() => void (world.seen.length = 0))

  it(`never reach the ${forbiddenUrls.length} spellings of near places`, async () => {
    const reasons = await Promise.all(
      forbiddenUrls.map(async (url) => [url, URL.canParse(url) ? await reasonOf(url) : 'address_forbidden']),
    )
    deepEqual(
      reasons,
      forbiddenUrls.map((url) => [url, 'address_forbidden']),
    )
  })

  it('take public addresses for public', () => {
    deepEqual(
      publicAddresses.filter((address) => !isPublicAddress(address)),
      [],
    )
  })

  it('never reach a near place through a name', async () => {
    const names = ['private.test', 'ten.test', 'six.test', 'mixed.test', 'mapped.test', 'metadata.test', 'link.test']
    const reasons = await Promise.all(names.map((name) => reasonOf(`http://${name}:${world.port}/json`)))
    deepEqual(reasons, Array(names.length).fill('address_forbidden'))
    deepEqual(
      [await reasonOf('http://unknown.test/'), await reasonOf('http://private.test:1/')],
      ['name_not_resolved', 'address_forbidden'],
    )
    equal(world.seen.length, 0)
  })

  it('connect to no address of a name that has one near place among good ones', async () => {
    const before = world.connections
    const names = ['mixed.test', 'mixed-last.test']
    const reasons = await Promise.all(names.map((name) => reasonOf(`http://${name}:${world.port}/json`)))
    deepEqual([reasons, world.connections - before], [Array(2).fill('address_forbidden'), 0])
  })

  it('nor do the plain connections beside them, which reach an excepted host on its port alone', async () => {
    const egressAllowPrivate = new Set([`api.example.test:${world.port}`])
    const connect = createGuardedConnect({ egressAllowPrivate, dnsServers: [world.dns.address] })
    const before = world.connections
    const outcome = (host: string, port = world.port): Promise<string> =>
      connect(host, port, 2_000).then(
        (socket) => (socket.destroy(), 'connected'),
        (error: unknown) => (error as EgressError).reason,
      )
    const near = ['mixed.test', 'mixed-last.test', 'private.test', '127.0.0.1', '[::1]', 'localhost']
    const reasons = await Promise.all([...near.map((host) => outcome(host)), outcome('api.example.test', 1)])
    deepEqual([reasons, world.connections - before], [Array(7).fill('address_forbidden'), 0])
    equal(await outcome('api.example.test'), 'connected')
  })

  it('look once more at what was connected to', async () => {
    let reads = 0
    const found = {
      family: 4 as const,
      get address() {
        reads += 1
        return reads === 1 ? '93.184.216.34' : '127.0.0.1'
      },
    }
    const connect = createGuardedConnector({
      resolve: () => Promise.resolve([found]),
      exceptions: new Set(),
      timeoutMs: 2_000,
    })
    const to = { hostname: 'changed.test', host: 'changed.test', protocol: 'http:', port: String(world.port) }
    const reason = await new Promise((resolve) => {
      connect(to, (error, socket) => {
        socket?.destroy()
        resolve((error as EgressError | null)?.reason)
      })
    })
    deepEqual([reason, reads > 1], ['address_forbidden', true])
  })

  it('reach an excepted host on its port alone', async () => {
    deepEqual(
      [await reasonOf(`http://api.example.test:${world.port}/json`), await reasonOf('http://api.example.test:1/')],
      ['status 200', 'address_forbidden'],
    )
  })

  it('never take for an exception what hands out credentials or is nobody’s server', () => {
    const never = ['169.254.169.254', '168.63.129.16', '100.100.100.200', '192.0.0.192', '0.1.2.3', '224.0.0.1']
    const others = ['239.255.255.255', '255.255.255.255', 'fe80::1', 'fd00:ec2::254', 'fd20:ce::254', 'ff02::1', '::']
    const hidden = ['::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', 'nothing']
    const fine = ['10.0.0.1', '192.168.1.1', '127.0.0.1', '::1', 'fd12::1', '93.184.216.34']
    deepEqual([...never, ...others, ...hidden].filter(isExceptionAddress), [])
    deepEqual(fine.filter(isExceptionAddress), fine)
  })

  it('resolve a name once for a connection, so that it cannot be changed in between', async () => {
    equal(await reasonOf(`http://once.test:${world.port}/json`), 'status 200')
    const questions = world.dns.questions.filter((question) => question.endsWith('once.test'))
    deepEqual(questions.toSorted(), ['A once.test', 'AAAA once.test'])
  })

  it('speak nothing but http and https, and carry no user name', async () => {
    const urls = ['file:///etc/passwd', 'ftp://api.example.test/', 'http://mina@api.example.test/']
    deepEqual(await Promise.all(urls.map(reasonOf)), Array(urls.length).fill('url_invalid'))
  })

  it('unpack an answer twice at most', async () => {
    const urls = ['/gzip', '/gzip-twice', '/gzip-thrice'].map((path) => `http://api.example.test:${world.port}${path}`)
    deepEqual(await Promise.all(urls.map(reasonOf)), ['status 200', 'status 200', 'response_invalid'])
  })

  it('end where the limits of their client are', async () => {
    const options = { egressAllowPrivate: new Set([`api.example.test:${world.port}`]), dnsServers: [world.dns.address] }
    const sizes = { responseBytes: 1_000, responseHeaderBytes: 2_000 }
    const clientOf = (timeoutMs: number) => createGuardedFetch({ ...options, limits: { ...sizes, timeoutMs } })
    // Only what never comes is waited for in a hurry: a busy machine takes its time for the others.
    await using hurried = clientOf(200)
    await using patient = clientOf(60_000)
    const reasons = ['/hang', '/large', '/headers', '/json'].map((path) => {
      const request = { url: new URL(`http://api.example.test:${world.port}${path}`), method: 'GET' }
      return (path === '/hang' ? hurried : patient).fetch(request).then(
        ({ status }) => status,
        (error: unknown) => (error as EgressError).reason,
      )
    })
    deepEqual(await Promise.all(reasons), ['timeout', 'response_too_large', 'response_invalid', 200])
  })
})
