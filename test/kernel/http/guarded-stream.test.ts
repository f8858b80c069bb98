import { deepEqual, equal } from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import type { EgressError } from '#kernel'
import { startHttpWorld, type HttpWorld } from '../../support/http-world.ts'
import { forbiddenUrls } from './guarded-fetch-addresses.ts'

const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as EgressError).reason,
  )

describe('streams of the guarded client', () => {
  let world: HttpWorld
  const at = (path: string, host = 'api.example.test'): URL => new URL(`http://${host}:${world.port}${path}`)
  before(async () => (world = await startHttpWorld()))
  after(() => world[Symbol.asyncDispose]())
  beforeEach(() => void (world.seen.length = 0))

  it('hand over answers larger than any that is held, as they came', async () => {
    const large = await world.client.stream({ url: at('/large'), method: 'GET' })
    deepEqual([large.status, (await buffer(large.body)).length], [200, 6 * 1_048_576])
    const zipped = await world.client.stream({ url: at('/gzip'), method: 'GET' })
    deepEqual([...(await buffer(zipped.body)).subarray(0, 2)], [0x1f, 0x8b])
    const redirect = await world.client.stream({ url: at('/redirect'), method: 'GET' })
    redirect.body.destroy()
    equal(redirect.status, 302)
  })

  it('never reach a near place', async () => {
    const urls = forbiddenUrls.filter((url) => URL.canParse(url)).map((url) => new URL(url))
    const names = ['private.test', 'mixed.test', 'metadata.test', 'link.test'].map((name) => at('/json', name))
    const reasons = await Promise.all(
      [...urls, ...names].map((url) => reasonOf(world.client.stream({ url, method: 'GET' }))),
    )
    deepEqual([new Set(reasons), world.seen.length], [new Set(['address_forbidden']), 0])
  })

  it('end when nothing comes for too long, or when nobody waits', async () => {
    const hang = { url: at('/hang'), method: 'GET' }
    equal(await reasonOf(world.client.stream({ ...hang, idleMs: 100 })), 'timeout')
    equal(await reasonOf(world.client.stream({ ...hang, signal: AbortSignal.timeout(50) })), 'aborted')
    equal(await reasonOf(world.client.stream({ url: at('/json', 'unknown.test'), method: 'GET' })), 'name_not_resolved')
  })

  it('can be asked for without a connection', async () => {
    const urls = forbiddenUrls.filter((url) => URL.canParse(url)).map((url) => new URL(url))
    const reasons = await Promise.all(urls.map((url) => reasonOf(world.client.check(url))))
    deepEqual(new Set(reasons), new Set(['address_forbidden']))
    deepEqual(
      await Promise.all(
        [
          at('/json'),
          at('/json', 'private.test'),
          at('/json', 'mixed.test'),
          at('/', 'unknown.test'),
          new URL('ftp://a.test'),
        ].map((url) => reasonOf(world.client.check(url))),
      ),
      ['done', 'address_forbidden', 'address_forbidden', 'name_not_resolved', 'url_invalid'],
    )
    equal(world.seen.length, 0)
  })
})
