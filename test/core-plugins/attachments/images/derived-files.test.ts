import assert from 'node:assert/strict'
import { mkdtemp, mkdir, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DerivedFiles } from '../../../../core-plugins/attachments/images/derived/derived-files.ts'
import { Flights } from '../../../../core-plugins/attachments/images/derived/flights.ts'
import { filesBelow } from '../../../support/storage.ts'
import { withSmallFiles } from '../../../support/small-files.ts'

const stays = new AbortController().signal
const much = 1_000_000

describe('derived images on the disk', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'stoa-derived-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const key = (at: number): string => at.toString(16).padStart(4, '0') + 'f'.repeat(60)
  const fileOf = (name: string): string => path.join(folder, name.slice(0, 2), name.slice(2, 4), name)
  const names = async (): Promise<string[]> => (await filesBelow(folder)).map((file) => path.basename(file)).sort()

  it('lie two folders deep and are read as they were written', async () => {
    const files = new DerivedFiles(folder)
    assert.equal(await files.read(key(1)), undefined)
    await files.write(key(1), Buffer.from('one'), much)
    assert.equal((await files.read(key(1)))?.toString(), 'one')
    assert.deepEqual(await filesBelow(folder), [fileOf(key(1))])
  })

  it('are never empty: what a crash left without content is not there', async () => {
    const files = new DerivedFiles(folder)
    await files.write(key(1), Buffer.from('one'), much)
    await truncate(fileOf(key(1)), 0)
    assert.equal(await files.read(key(1)), undefined)
    await files.write(key(1), Buffer.from('again'), much)
    assert.equal((await files.read(key(1)))?.toString(), 'again')
  })

  it('are whole or not there when the disk is full', async () => {
    const files = new DerivedFiles(folder)
    await using full = await withSmallFiles(100)
    await assert.rejects(files.write(key(1), Buffer.alloc(1000, 1), much))
    assert.deepEqual([await names(), await files.read(key(1))], [[], undefined])
    void full
  })

  it('go when there are too many bytes, those first that were not used for longest, also after a restart', async () => {
    const before = new DerivedFiles(folder)
    const hour = (back: number): number => Date.now() / 1000 - back * 3600
    for (const at of [1, 2, 3, 4]) {
      await before.write(key(at), Buffer.alloc(100, at), much)
      await utimes(fileOf(key(at)), hour(10 - at), hour(10 - at))
    }
    const files = new DerivedFiles(folder)
    assert.notEqual(await files.read(key(1)), undefined)
    await files.trim(much)
    // Reading notes the use beside the answer.
    await files.write(key(5), Buffer.alloc(100, 5), 450)
    const left = await names()
    assert.deepEqual([left.includes(key(5)), left.includes(key(2)), left.length], [true, false, 4])
    await files.trim(200)
    assert.equal((await names()).length, 1)
    await files.write(key(6), Buffer.alloc(100), 50)
    assert.equal((await names()).includes(key(6)), false)
  })

  it('go together when their source is forgotten, and no others', async () => {
    const files = new DerivedFiles(folder)
    const named = ['aabbccdd00112233-1', 'aabbccdd00112233-2', 'aabbccdd00112234-1']
    for (const name of named) await files.write(name, Buffer.from(name), much)
    await files.forget('aabbccdd00112233-')
    assert.deepEqual(await names(), [named[2]])
    await files.forget('0000000000000000-')
  })

  it('leave nothing of a host that died in writing', async () => {
    const part = `${fileOf(key(1))}.x.part`
    await mkdir(path.dirname(part), { recursive: true })
    await writeFile(part, 'half')
    const files = new DerivedFiles(folder)
    await files.trim(much)
    assert.equal((await names()).length, 1)
    const longAgo = Date.now() / 1000 - 7200
    await utimes(part, longAgo, longAgo)
    await files.trim(much)
    assert.deepEqual(await names(), [])
  })
})

describe('flights', () => {
  it('do work once for all who ask meanwhile, and anew after that', async () => {
    const flights = new Flights<number>()
    let done = 0
    const gate = Promise.withResolvers<void>()
    const work = async (): Promise<number> => {
      await gate.promise
      return ++done
    }
    const all = [1, 2, 3].map(() => flights.join('a', work, stays))
    gate.resolve()
    assert.deepEqual(await Promise.all(all), [1, 1, 1])
    assert.equal(await flights.join('a', work, stays), 2)
    await assert.rejects(
      flights.join('b', () => Promise.reject(new Error('no')), stays),
      /no/,
    )
  })

  it('are given up when the last one leaves, not before, and begin anew for who comes in that moment', async () => {
    const flights = new Flights<string>()
    const signals: AbortSignal[] = []
    let late: Promise<string> | undefined
    const work = (signal: AbortSignal): Promise<string> => {
      signals.push(signal)
      if (signals.length > 1) return Promise.resolve('second')
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          late = flights.join('a', work, stays)
          reject(signal.reason as Error)
        }),
      )
    }
    const [one, two] = [new AbortController(), new AbortController()]
    const first = flights.join('a', work, one.signal)
    const other = flights.join('a', work, two.signal)
    one.abort(new Error('left'))
    await assert.rejects(first, /left/)
    assert.deepEqual([signals.length, signals[0]?.aborted], [1, false])
    two.abort(new Error('left too'))
    await assert.rejects(other, /left too/)
    assert.deepEqual([await late, signals.length, signals[0]?.aborted], ['second', 2, true])
  })
})
