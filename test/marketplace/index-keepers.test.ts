import { deepEqual, equal, throws } from 'node:assert/strict'
import type { GuardedFetch } from '#kernel'
import { createSigningKey, openIndexSource, parseRootFile, rotateRoot, type IndexSource } from '#marketplace'
import { created, json, type IndexContent } from './index-content.ts'
import { keepers, keepersRoot, keptIndex, listSignatures, publishersOf } from './index-keepers.ts'
import { fetchFrom, MemoryIndexCache, startIndexServer, type IndexServer } from './index-server.ts'

const [one, two, three] = keepers
/** The order of the group that Ed25519 signs in: added to the second half of a signature it fits the same text, for who does not look. */
const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n

describe('an index whose publishers several people must sign', () => {
  let server: IndexServer
  let fetch: GuardedFetch
  let cache: MemoryIndexCache
  let source: IndexSource
  const first = publishersOf(1, 'acme', 'gone')
  const second = publishersOf(2, 'acme')
  const firstIndex = (sequence: number) => keptIndex(sequence, first, listSignatures(first, [one, two]))
  const secondIndex = (sequence: number) => keptIndex(sequence, second, listSignatures(second, [three, two]))

  before(async () => {
    server = await startIndexServer()
    fetch = fetchFrom(server)
  })
  after(async () => {
    await fetch[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    cache = new MemoryIndexCache()
    source = open()
  })

  const open = () => openIndexSource({ id: 'kept', url: server.url }, { fetch, cache, pause: () => Promise.resolve() })
  const show = async (content: IndexContent, to = source) => {
    server.content = content
    const { failure, sequence } = await to.refresh({ force: true })
    return failure ? failure.details['rule'] : sequence
  }
  const believed = () => Object.keys(source.publishers.publishers)

  it('is read where two signed the list, and asked for no more than what changed', async () => {
    equal(await show(firstIndex(1)), 1)
    deepEqual(believed(), ['acme', 'gone'])
    server.asked.length = 0
    equal(await show(firstIndex(2)), 2)
    deepEqual(server.asked, ['root.json 304', 'index.json', 'index.json.sig'])
    equal(await show(secondIndex(3)), 3)
    deepEqual(believed(), ['acme'])
    const later = open()
    equal(await later.load(), true)
  })

  const list = publishersOf(3, 'acme', 'evil')
  const own = () => listSignatures(list, [one])
  const forged = () => listSignatures(list, [{ ...createSigningKey('two') }])
  const again = ({ kid, sig }: { readonly kid: string; readonly sig: string }) => {
    const bytes = Buffer.from(sig, 'base64')
    const half = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + groupOrder
    const moved = Buffer.from(half.toString(16).padStart(64, '0'), 'hex').reverse()
    return { kid, sig: Buffer.concat([bytes.subarray(0, 32), moved]).toString('base64') }
  }
  const respelled = ({ kid, sig }: { readonly kid: string; readonly sig: string }) => {
    const last = sig.at(-3) ?? ''
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    return { kid, sig: `${sig.slice(0, -3)}${letters[letters.indexOf(last) ^ 1]}==` }
  }
  const lies: Readonly<Record<string, readonly [rule: string, content: () => IndexContent]>> = {
    'nobody signed': ['missing', () => keptIndex(3, list, undefined)],
    'one person signed': ['publishers_signature', () => keptIndex(3, list, own())],
    'one person signed twice': ['publishers_signature', () => keptIndex(3, list, [...own(), ...own()])],
    'one person signed in two spellings': [
      'publishers_signature',
      () => keptIndex(3, list, [...own(), ...own().map(respelled)]),
    ],
    'one person signed, and once more as another number': [
      'publishers_signature',
      () =>
        keptIndex(3, list, [...own(), ...own().map(again), ...own().map((each) => ({ ...again(each), kid: 'two' }))]),
    ],
    'one person signed under two names': [
      'publishers_signature',
      () => keptIndex(3, list, [...own(), ...own().map(({ sig }) => ({ kid: 'two', sig }))]),
    ],
    'one person signed, and a stranger as another': [
      'publishers_signature',
      () => keptIndex(3, list, [...own(), ...forged()]),
    ],
    'carries the signatures of another list': [
      'publishers_signature',
      () => keptIndex(3, list, listSignatures(second, [one, two])),
    ],
    'has no serial': [
      'publishers_serial',
      () => {
        const plain = publishersOf(undefined, 'acme')
        return keptIndex(3, plain, listSignatures(plain, [one, two]))
      },
    ],
    'was in force once, with a key that is gone': ['serial_older', () => firstIndex(3)],
    'has the number of another': [
      'serial_reused',
      () => {
        const other = publishersOf(2, 'acme', 'evil')
        return keptIndex(3, other, listSignatures(other, [one, two]))
      },
    ],
    'is left out': ['missing', () => keptIndex(3, undefined, listSignatures(second, [one, two]))],
  }
  for (const [lie, [rule, content]] of Object.entries(lies)) {
    it(`is not believed with a list that ${lie}`, async () => {
      await show(secondIndex(2))
      equal(await show(content()), rule)
      deepEqual([believed(), source.state.sequence], [['acme'], 2])
    })
  }

  it('never gets a former list past a restart, or past what another host has seen', async () => {
    await show(firstIndex(1))
    const other = open()
    await show(secondIndex(2), other)
    equal(await show(firstIndex(3)), 'serial_older')
    equal(cache.snapshot?.sequence, 2)
    const restarted = open()
    equal(await show(firstIndex(4), restarted), 'serial_older')
    deepEqual(Object.keys(restarted.publishers.publishers), ['acme'])
  })

  it('is not taken over by one person with a new root, and follows two', async () => {
    await show(secondIndex(2))
    const keys = [one, createSigningKey('mine')] as const
    throws(() => rotateRoot(keepersRoot, { created, keys }, keys), /1 of 2 keys/)
    const content = { created, keys: [one, two], keysThreshold: 2 }
    const rotated = rotateRoot(keepersRoot, content, [one, two])
    const signature = JSON.parse(rotated.signature.toString()) as { signatures: readonly { kid: string }[] }
    const alone = json({ ...signature, signatures: signature.signatures.filter(({ kid }) => kid === 'one') })
    const taken = { root: rotated.root, signature: alone }
    equal(await show(keptIndex(3, list, listSignatures(list, [one, two], taken), { root: taken })), 'root_signature')
    // What was signed for the root before is worth nothing, also where no list was ever seen.
    const former = keptIndex(3, second, listSignatures(second, [one, two]), { root: rotated })
    equal(await show(former), 'publishers_signature')
    cache = new MemoryIndexCache()
    equal(await show(former, open()), 'publishers_signature')
    equal(await show(keptIndex(3, second, listSignatures(second, [one, two], rotated), { root: rotated })), 3)
  })

  it('has a root that asks for what can be, of keys that are written in one way', () => {
    const root = JSON.parse(keepersRoot.root.toString()) as { keys: { kid: string; publicKey: string }[] }
    throws(() => parseRootFile(json({ ...root, threshold: 3 })), /less for publishers\.json/)
    throws(() => parseRootFile(json({ ...root, keysThreshold: 4 })), /more signatures than it has keys/)
    const [key] = root.keys
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const publicKey = key?.publicKey.slice(0, -1) + (letters[letters.indexOf(key?.publicKey.at(-1) ?? '') ^ 1] ?? '')
    throws(() => parseRootFile(json({ ...root, keys: [...root.keys, { kid: 'twin', publicKey }] })), /way of its own/)
    const weak = 'A'.repeat(43)
    throws(
      () => parseRootFile(json({ ...root, keys: [...root.keys, { kid: 'weak', publicKey: weak }] })),
      /a key is none/,
    )
  })
})
