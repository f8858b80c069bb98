import { deepEqual, equal, match } from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSigningKey, rootFingerprint, type SigningKey } from '#marketplace'
import { readSigningKey } from '../../marketplace/cli/key-file.ts'
import { signFor } from '../../marketplace/index-format/ed25519.ts'
import { serveIndex, type ServedIndex } from '../../marketplace/keeper/serve-index.ts'
import { PushReceiver } from '../../marketplace/push/receive-push.ts'
import { signChange, type Change } from '../../marketplace/push/signed-change.ts'
import { makeIndexWorkshop, type IndexWorkshop } from './index-workshop.ts'
import { startTokenIssuer } from './token-issuer.ts'

interface Said {
  readonly reason?: string
  readonly message?: string
  readonly sequence?: number
}

interface Shown {
  readonly versions: readonly { readonly version: string; readonly yanked: { readonly reason: string } | null }[]
}

describe('a publisher who changes what it published over HTTP', () => {
  let workshop: IndexWorkshop
  let served: ServedIndex
  let token: string
  let others: string
  let key: SigningKey
  let root: string
  const yank: Change = { action: 'yank', plugin: 'acme.sample', version: '1.0.0', reason: 'Loses entries' }

  before(async () => {
    workshop = await makeIndexWorkshop()
    const receiver = new PushReceiver({
      folder: workshop.index,
      accessFile: `${workshop.index}.access.json`,
      keys: [await readSigningKey(join(workshop.path, 'index.index-1.key.json'))],
      expiresDays: 14,
    })
    for (const version of ['1.0.0', '1.1.0', '1.2.0'])
      equal((await workshop.run('publish', await workshop.pack({ version }), '--index', 'index')).exitCode, 0)
    await receiver.open()
    served = await serveIndex(workshop.index, { host: '127.0.0.1', port: 0, receiver })
    const makeToken = async (publisher: string) => {
      const { json } = await workshop.run('index', 'add-token', publisher, '--id', publisher, '--index', 'index')
      return (json as { token: string }).token
    }
    token = await makeToken('acme')
    others = await makeToken('other')
    await writeFile(join(workshop.path, 'token'), token)
    key = await readSigningKey(join(workshop.path, 'acme-1.key.json'))
    root = rootFingerprint(await readFile(join(workshop.index, 'root.json')))
  })
  after(async () => {
    await served[Symbol.asyncDispose]()
    await workshop[Symbol.asyncDispose]()
  })

  async function send(body: object | string | ReadableStream, bearer: string | undefined = token, at = served) {
    const answer = await fetch(new URL('-/changes', at.url), {
      method: 'POST',
      body: typeof body === 'string' || body instanceof ReadableStream ? body : JSON.stringify(body),
      ...(body instanceof ReadableStream && { duplex: 'half' }),
      headers: bearer === '' ? {} : { authorization: `Bearer ${bearer}` },
    })
    return { status: answer.status, ...((await answer.json()) as Said) }
  }
  const refusalOf = async (body: object | string, bearer?: string, at = served) => {
    const before = await workshop.readIndex()
    const { status, reason } = await send(body, bearer, at)
    deepEqual(await workshop.readIndex(), before, 'something was written')
    return [status, reason]
  }
  const shown = async () => {
    const { json } = await workshop.run('show', 'acme.sample', '--index', served.url)
    return json as Shown
  }
  const run = async (...args: string[]) => {
    const { exitCode, json } = await workshop.run(...args, '--index', served.url)
    return [exitCode, json as Said] as const
  }
  const means = ['--key', 'acme-1.key.json', '--token-file', 'token']

  it('yanks a version, and the index is built with it', async () => {
    const [exitCode, { sequence }] = await run('yank', 'acme.sample@1.2.0', '--reason', 'Broken', ...means)
    deepEqual([exitCode, sequence], [0, 3])
    deepEqual(
      (await shown()).versions.map(({ version, yanked }) => [version, yanked?.reason]),
      [
        ['1.2.0', 'Broken'],
        ['1.1.0', undefined],
        ['1.0.0', undefined],
      ],
    )
    const again = await run('yank', 'acme.sample@1.2.0', '--reason', 'Broken', ...means)
    match(again[1].message ?? '', /yanked already/)
    equal((await workshop.run('index', 'check', 'index', '--no-reviews')).exitCode, 0)
  })

  it('deprecates releases with its own word, never in the place of the keeper’s', async () => {
    const [exitCode] = await run('deprecate', 'acme.sample', '--versions', '<1.1.0', '--reason', 'Old', ...means)
    equal(exitCode, 0)
    const keeper = ['--action', 'disable', '--severity', 'critical', '--reason', 'Leaks', '--index', 'index']
    await workshop.run('index', 'revoke', 'acme.sample', '--versions', '<1.0.1', ...keeper)
    const over = { action: 'deprecate', plugin: 'acme.sample', versions: '<1.0.1', reason: 'Fine' } as const
    deepEqual(await refusalOf(signChange(over, root, key)), [409, 'revoked_already'])
    deepEqual(await refusalOf(signChange({ ...over, versions: 'no range' }, root, key)), [400, 'index_invalid'])
    for (const at of [2, 3, 4, 5])
      equal((await send(signChange({ ...over, versions: `0.0.${at}` }, root, key))).status, 200)
    deepEqual(await refusalOf(signChange({ ...over, versions: '0.0.6' }, root, key)), [422, 'refused'])
    // However many plugins somebody has, what is urgent finds room.
    const file = join(workshop.index, 'revocations.json')
    const before = await readFile(file, 'utf8')
    const list = JSON.parse(before) as { plugins: readonly object[] }
    const many = Array.from({ length: 5_000 }, (_, at) => ({
      ...{ plugin: `acme.p${at}`, versions: '*', action: 'warn', severity: 'low', reason: 'x' },
    }))
    const others = list.plugins.filter((each) => !('severity' in each) || each.severity !== 'low')
    await writeFile(file, JSON.stringify({ ...list, plugins: [...others, ...many] }))
    deepEqual(await refusalOf(signChange({ ...over, versions: '0.0.6' }, root, key)), [422, 'refused'])
    equal((await workshop.run('index', 'revoke', 'acme.sample', '--versions', '0.0.7', ...keeper)).exitCode, 0)
    await writeFile(file, before)
  })

  it('unpublishes what no site has seen, and is told to yank what one may have', async () => {
    const change = { action: 'unpublish', plugin: 'acme.sample', version: '1.3.0' } as const
    equal((await workshop.run('publish', await workshop.pack({ version: '1.3.0' }), '--index', 'index')).exitCode, 0)
    equal((await run('unpublish', 'acme.sample@1.3.0', ...means))[0], 0)
    equal(
      (await shown()).versions.some(({ version }) => version === '1.3.0'),
      false,
    )
    deepEqual(await refusalOf(signChange({ ...change, version: '1.1.0' }, root, key)), [409, 'version_seen'])
    match((await run('unpublish', 'acme.sample@1.1.0', ...means))[1].message ?? '', /stoa yank takes it back/)
    deepEqual(await refusalOf(signChange(change, root, key)), [404, 'release_unknown'])
    deepEqual(await refusalOf(signChange({ ...change, plugin: 'acme.none' }, root, key)), [404, 'release_unknown'])
  })

  it('takes the token and the signature, and neither alone', async () => {
    deepEqual(await refusalOf(signChange(yank, root, key), ''), [401, 'token_missing'])
    deepEqual(await refusalOf(signChange(yank, root, key), `${token}x`), [401, 'token_unknown'])
    deepEqual(await refusalOf(signChange(yank, root, key), others), [403, 'publisher_other'])
    const other = await readSigningKey(join(workshop.path, 'other-1.key.json'))
    deepEqual(await refusalOf(signChange(yank, root, other)), [403, 'signature_refused'])
    deepEqual(await refusalOf(signChange(yank, root, other), others), [403, 'publisher_other'])
    const forged = { ...createSigningKey('acme-1') }
    deepEqual(await refusalOf(signChange(yank, root, forged)), [403, 'signature_refused'])
    const { payload, ...rest } = signChange(yank, root, key)
    const changed = Buffer.from(payload, 'base64').toString().replace('1.0.0', '1.1.0')
    const moved = { ...rest, payload: Buffer.from(changed).toString('base64') }
    deepEqual(await refusalOf(moved), [403, 'signature_refused'])
    // What was signed as something else is no change.
    const bytes = Buffer.from(payload, 'base64')
    const asIndex = { ...rest, payload, sig: signFor('plugin-index-v1\n', bytes, key) }
    deepEqual(await refusalOf(asIndex), [403, 'signature_refused'])
  })

  it('is believed once, for this index, and while it is fresh', async () => {
    deepEqual(await refusalOf(signChange(yank, '0'.repeat(64), key)), [403, 'index_other'])
    const signed = (change: object) => {
      const nonce = 'a'.repeat(22)
      const payload = Buffer.from(JSON.stringify({ format: 1, root, nonce, ...yank, ...change }))
      return { kid: key.kid, payload: payload.toString('base64'), sig: signFor('plugin-change-v1\n', payload, key) }
    }
    for (const minutes of [-6, 6])
      deepEqual(await refusalOf(signed({ at: new Date(Date.now() + minutes * 60_000).toISOString() })), [
        403,
        'not_fresh',
      ])
    deepEqual(await refusalOf(signed({ at: 'soon' })), [400, 'index_invalid'])
    deepEqual(await refusalOf(signed({ at: new Date().toISOString(), undo: true })), [400, 'index_invalid'])
    deepEqual(await refusalOf('no JSON'), [400, 'index_invalid'])
    deepEqual(await refusalOf('x'.repeat(20_000)), [413, 'too_large'])
    deepEqual(await refusalOf(inParts()), [413, 'too_large'])
    const once = signChange(yank, root, key)
    equal((await send(once)).status, 200)
    await workshop.run('yank', 'acme.sample@1.0.0', '--undo', '--index', 'index')
    deepEqual(await refusalOf(once), [409, 'used_already'])
    // Nor by a server that was started since, which cannot know.
    const keys = [await readSigningKey(join(workshop.path, 'index.index-1.key.json'))]
    const accessFile = `${workshop.index}.access.json`
    const receiver = new PushReceiver({ folder: workshop.index, accessFile, keys, expiresDays: 14 })
    await using anew = await serveIndex(workshop.index, { host: '127.0.0.1', port: 0, receiver })
    deepEqual(await refusalOf(once, token, anew), [403, 'not_fresh'])
  })

  it('comes from a run as well, and not from a key that was revoked', async () => {
    await using issuer = await startTokenIssuer()
    const ci = ['index', 'add-ci', 'acme', '--id', 'ci', '--issuer', issuer.url, '--audience', served.url]
    await workshop.run(...ci, '--claims', 'repository=acme/sample', '--index', 'index')
    const identity = await issuer.sign({ aud: served.url, repository: 'acme/sample' })
    equal((await send(signChange(yank, root, key), identity)).status, 200)
    deepEqual(await refusalOf(signChange(yank, root, key), identity), [401, 'identity_refused'])
    await workshop.run('index', 'revoke', '--key', 'acme-1', '--reason', 'Lost', '--index', 'index')
    deepEqual(await refusalOf(signChange({ ...yank, version: '1.1.0' }, root, key)), [403, 'signature_refused'])
  })

  it('needs an index that takes pushes, and the options that go with it', async () => {
    await using plain = await serveIndex(workshop.index, { host: '127.0.0.1', port: 0 })
    const at = (url: string, ...more: string[]) =>
      workshop.run('yank', 'acme.sample@1.1.0', '--reason', 'x', '--index', url, ...more)
    match(JSON.stringify(await at(plain.url, ...means)), /takes no pushes/)
    match(JSON.stringify(await at('http://plugins.acme.test/', ...means)), /readable on its way/)
    match(JSON.stringify(await at(served.url, '--token-file', 'token')), /the key of the publisher: --key/)
    match(JSON.stringify(await at(served.url, ...means, '--at', '2026-01-01')), /neither --undo nor --at/)
    match(JSON.stringify(await at('index', ...means)), /are for an address/)
  })
})

/** A body that does not say how long it is. */
function inParts(): ReadableStream {
  return ReadableStream.from(Array.from({ length: 20 }, () => Buffer.alloc(1_000, 'x')))
}
