import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openIndexSource } from '#marketplace'
import { readSigningKey } from '../../marketplace/cli/key-file.ts'
import { serveIndex } from '../../marketplace/keeper/serve-index.ts'
import { PushReceiver } from '../../marketplace/push/receive-push.ts'
import { MemoryIndexCache } from './index-server.ts'
import { makeIndexWorkshop, type IndexWorkshop } from './index-workshop.ts'

interface Said {
  readonly message: string
  readonly signed: readonly string[]
  readonly missing: number
  readonly changes: readonly string[]
  readonly done: boolean
  readonly serial: number
  readonly in_force: number | null
  readonly built: boolean
  readonly waiting: { readonly signed: readonly string[]; readonly missing: number } | null
}

describe('several keepers of one index', () => {
  let workshop: IndexWorkshop
  const source = () => {
    const fetch = { fetch: unreached, stream: unreached }
    return openIndexSource(
      { id: 'kept', url: pathToFileURL(join(workshop.path, 'kept')).href },
      { fetch, cache: new MemoryIndexCache() },
    )
  }
  const believed = async (from = source()) => {
    const { failure } = await from.refresh({ force: true })
    return failure ? failure.message : Object.keys(from.publishers.publishers)
  }
  const run = async (...args: string[]) => {
    const { exitCode, json } = await workshop.run(...args)
    return [exitCode, json as Said] as const
  }
  const build = () => run('index', 'build', 'kept', '--key', 'kept.index-1.key.json', '--no-site')
  const look = (who: string, folder: string, ...more: string[]) =>
    run('index', 'sign-keys', folder, '--key', `${who}.key.json`, ...more)
  const sign = (who: string, folder = 'kept') => look(who, folder, '--yes')
  const register = (publisher: string, key: string) =>
    run('index', 'add-publisher', publisher, `${key}.pub.json`, '--index', 'kept')
  const check = async () => {
    const { exitCode, json } = await workshop.run('index', 'check', 'kept', '--no-reviews')
    const { findings } = json as { findings: { rule: string; message: string }[] }
    return [exitCode, findings.map(({ rule }) => rule).join(' ')]
  }
  const kept = (file: string) => join(workshop.path, 'kept', file)

  before(async () => {
    workshop = await makeIndexWorkshop()
    for (const kid of ['two', 'three', 'stranger']) await workshop.run('keygen', kid)
  })
  after(() => workshop[Symbol.asyncDispose]())

  it('begin it together: none of them can alone', async () => {
    const others = ['--others', 'two.pub.json,three.pub.json', '--keys-threshold', '2']
    const [exitCode, made] = await run('index', 'init', 'kept', ...others)
    deepEqual([exitCode, made.built], [0, false])
    const [refused, { message }] = await build()
    equal(refused, 1)
    match(message, /index-1 signed it, and 1 more must/)
    deepEqual(await check(), [1, 'publishers_signature not_built'])
    match((await sign('stranger'))[1].message, /no key of root\.json/)
    equal((await sign('two'))[1].missing, 0)
    equal((await build())[0], 0)
    deepEqual(await believed(), [])
    deepEqual(await check(), [0, ''])
  })

  it('say together who may publish, each in a copy of the own; builds go on meanwhile', async () => {
    equal((await register('acme', 'acme-1'))[0], 0)
    deepEqual(await check(), [0, 'publishers_waiting'])
    // Nothing is signed before somebody has seen what changes, and said so.
    for (const [more, code] of [
      [[], 1],
      [['--dry-run'], 0],
      [['--dry-run', '--yes'], 0],
    ] as const) {
      const [exitCode, { done, serial, in_force, changes, signed }] = await look('kept.index-1', 'kept', ...more)
      deepEqual(
        [exitCode, done, serial, in_force, changes, signed],
        [code, false, 2, 1, ['acme becomes a publisher, community, with acme-1.'], []],
      )
      deepEqual(existsSync(kept('publishers.next.json.sig')), false)
    }
    const [, once] = await sign('kept.index-1')
    deepEqual([once.signed, once.missing], [['index-1'], 1])
    const [, twice] = await sign('kept.index-1')
    deepEqual([twice.signed, twice.missing], [['index-1'], 1])
    const [built, { waiting }] = await build()
    deepEqual([built, waiting], [0, { signed: ['index-1'], missing: 1 }])
    deepEqual(await believed(), [])
    await cp(kept('.'), join(workshop.path, 'copy'), { recursive: true })
    const [, last] = await sign('three', 'copy')
    deepEqual([last.signed, last.missing], [['index-1', 'three'], 0])
    deepEqual(last.changes, ['acme becomes a publisher, community, with acme-1.'])
    await cp(join(workshop.path, 'copy'), kept('.'), { recursive: true })
    deepEqual([(await build())[1].waiting, await believed()], [null, ['acme']])
    deepEqual(await check(), [0, ''])
  })

  it('sign again what is changed again', async () => {
    await register('other', 'other-1')
    await sign('kept.index-1')
    await register('acme', 'stranger')
    const [, { signed, changes }] = await sign('two')
    deepEqual(signed, ['two'])
    deepEqual(changes, [
      'acme signs with acme-1, stranger instead of acme-1.',
      'other becomes a publisher, community, with other-1.',
    ])
    await rm(kept('publishers.next.json'))
    await rm(kept('publishers.next.json.sig'))
  })

  it('refuse a former list in the place of the one in force, or of the one that waits', async () => {
    const copy = join(workshop.path, 'former')
    const former = join(workshop.path, 'before')
    await cp(kept('.'), former, { recursive: true })
    await register('other', 'other-1')
    for (const who of ['two', 'three']) await sign(who)
    equal((await build())[0], 0)
    await register('acme', 'stranger')
    await cp(kept('.'), copy, { recursive: true })
    equal((await look('two', 'former', '--dry-run'))[0], 0)
    for (const file of ['publishers.json', 'publishers.json.sig']) await cp(join(former, file), join(copy, file))
    const put = await sign('two', 'former')
    deepEqual([put[0], existsSync(join(copy, 'publishers.next.json.sig'))], [1, false])
    match(put[1].message, /next\.json is list 4, and publishers\.json list 2: lists between them are missing/)
    await cp(kept('.'), copy, { recursive: true })
    await cp(join(former, 'publishers.json'), join(copy, 'publishers.next.json'))
    match((await sign('two', 'former'))[1].message, /next\.json is list 2, and list 3 is in force/)
    for (const folder of [copy, former]) await rm(folder, { recursive: true })
    // As it was: acme alone publishes, with one key.
    const list = JSON.parse(await readFile(kept('publishers.json'), 'utf8')) as { publishers: Record<string, unknown> }
    delete list.publishers['other']
    await writeFile(kept('publishers.next.json'), JSON.stringify({ ...list, serial: 4 }))
    deepEqual((await sign('two'))[1].changes, ['other is a publisher no more.'])
    await sign('three')
    deepEqual([(await build())[0], await believed()], [0, ['acme']])
  })

  it('are not got around by one of them who writes the files', async () => {
    const from = source()
    deepEqual(await believed(from), ['acme'])
    const list = await readFile(kept('publishers.json'), 'utf8')
    const forged = list
      .replace('"acme-1"', '"acme-9"')
      .replace(/"serial": (\d+)/, (_, n) => `"serial": ${Number(n) + 1}`)
    ok(forged !== list)
    await writeFile(kept('publishers.json'), forged)
    match((await build())[1].message, /nobody signed it, and 2 more must/)
    // Who signs is told of it, also where a harmless change stands before it.
    await register('other', 'other-1')
    deepEqual((await sign('two'))[1].changes, [
      'acme becomes a publisher, community, with acme-9.',
      'other becomes a publisher, community, with other-1.',
    ])
    await rm(kept('publishers.next.json'))
    await rm(kept('publishers.next.json.sig'))
    deepEqual((await sign('kept.index-1'))[1].changes, ['acme becomes a publisher, community, with acme-9.'])
    match((await build())[1].message, /index-1 signed it, and 1 more must/)
    deepEqual(await check(), [1, 'publishers_signature not_built'])
    await writeFile(kept('publishers.json'), list)
    await rm(kept('publishers.json.sig'))
    for (const who of ['two', 'three']) await sign(who)
    equal((await build())[0], 0)
    deepEqual(await believed(from), ['acme'])
  })

  it('leave publishers their releases, over HTTP too, and a copy of the index is as good', async () => {
    await register('acme', 'stranger')
    const key = await readSigningKey(join(workshop.path, 'kept.index-1.key.json'))
    const accessFile = join(workshop.path, 'kept.access.json')
    const receiver = new PushReceiver({ folder: kept('.'), accessFile, keys: [key], expiresDays: 14 })
    await receiver.open()
    await using served = await serveIndex(kept('.'), { host: '127.0.0.1', port: 0, receiver })
    const { json } = await workshop.run('index', 'add-token', 'acme', '--id', 'laptop', '--index', 'kept')
    await writeFile(join(workshop.path, 'token'), (json as { token: string }).token)
    const args = ['--index', served.url, '--token-file', 'token']
    equal((await run('publish', await workshop.pack({}), ...args))[0], 0)
    // The key that waits is not believed yet.
    const early = await run('publish', await workshop.pack({ version: '1.1.0' }, 'stranger'), ...args)
    deepEqual([early[0], /key/.test(early[1].message)], [1, true])
    for (const who of ['two', 'three']) await sign(who)
    equal((await run('publish', await workshop.pack({ version: '1.2.0' }), ...args))[0], 0)
    equal((await run('publish', await workshop.pack({ version: '1.3.0' }, 'stranger'), ...args))[0], 0)
    equal((await run('index', 'mirror', served.url, 'mirrored'))[0], 0)
    equal((await run('doctor', '--index', served.url))[0], 0)
    ok((await readFile(join(workshop.path, 'mirrored/publishers.json.sig'), 'utf8')).includes('three'))
    equal((await run('index', 'mirror', 'mirrored', 'again'))[0], 0)
  })

  it('replace their keys together, and end the rule so', async () => {
    const rotate = (key: string, ...more: string[]) =>
      run('index', 'rotate-key', 'kept', '--key', key, '--new', 'two.key.json,three.key.json', ...more)
    equal((await rotate('kept.index-1.key.json'))[0], 0)
    const alone = ['--key', 'two.key.json', '--new', 'two.key.json,stranger.key.json']
    match((await run('index', 'rotate-key', 'kept', ...alone))[1].message, /1 of 2/)
    deepEqual(await check(), [0, ''])
    deepEqual(await believed(), ['acme'])
    equal((await rotate('two.key.json', '--keys-threshold', '0'))[0], 0)
    deepEqual(await believed(), ['acme'])
    equal((await register('other', 'other-1'))[0], 0)
    equal((await run('index', 'build', 'kept', '--key', 'two.key.json', '--no-site'))[0], 0)
    deepEqual(await believed(), ['acme', 'other'])
  })

  it('begin the rule again: who looked away meanwhile takes their list for a new one', async () => {
    const both = 'two.key.json,three.key.json'
    const rotate = (people: string) =>
      run('index', 'rotate-key', 'kept', '--key', both, '--new', both, '--keys-threshold', people)
    equal((await rotate('2'))[0], 0)
    const from = source()
    deepEqual(await believed(from), ['acme', 'other'])
    // Written by hand it is the same list, and stays so.
    const written = await readFile(kept('publishers.json'), 'utf8')
    await writeFile(kept('publishers.json'), JSON.stringify(JSON.parse(written)))
    await rm(kept('publishers.json.sig'))
    for (const who of ['two', 'three']) await sign(who)
    const fresh = source()
    equal((await run('index', 'build', 'kept', '--key', 'two.key.json', '--no-site'))[0], 0)
    deepEqual(await believed(fresh), ['acme', 'other'])
    equal((await rotate('2'))[0], 0)
    deepEqual(await believed(fresh), ['acme', 'other'])
    equal((await rotate('0'))[0], 0)
    await workshop.run('keygen', 'third-1')
    equal((await register('third', 'third-1'))[0], 0)
    equal((await rotate('2'))[0], 0)
    deepEqual(await believed(fresh), ['acme', 'other', 'third'])
  })
})

function unreached(): never {
  throw new Error('a folder needs no network')
}
