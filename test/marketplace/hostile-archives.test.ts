import { deepEqual, ok, rejects, throws } from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { AppError } from '#kernel'
import { openPackage } from '#marketplace'
import { packageLimits } from '../../marketplace/package/package-limits.ts'
import { prescan } from '../../marketplace/package/prescan.ts'
import { createReader } from './hostile/read-apart.ts'
import { makeScratch, sampleEntries } from './sample-package.ts'
import { buildZip, type ForgedArchive, type ForgedEntry } from './zip-builder.ts'

const zip64Extra = Buffer.from([1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0])
const zeros = (megabytes: number) => Buffer.alloc(megabytes * 1_048_576)
const zip = (extra: readonly ForgedEntry[] = [], archive: ForgedArchive = {}) =>
  buildZip([...sampleEntries(), ...extra], archive)
const named = (path: string | Buffer) => zip([{ path, data: 'x' }])
const ui = (entry: Partial<ForgedEntry>) => zip([{ path: 'ui/a.txt', data: 'some text', ...entry }])

/** A quoted overlap: the second entry's data begins inside the first one. */
function overlapping(): Buffer {
  const [first, ...rest] = sampleEntries()
  return buildZip([...(first ? [first] : []), ...rest, { path: 'ui/b.txt', data: 'x', offset: 0 }])
}

const archives: Readonly<Record<string, [rule: string, zip: () => Buffer]>> = {
  'an empty file': ['end_record', () => Buffer.alloc(0)],
  'a file that is no zip': ['end_record', () => Buffer.from('PK\x03\x04 and nothing else of it')],
  'an empty zip': ['missing', () => buildZip([])],
  'no manifest': ['missing', () => buildZip([{ path: 'dist/index.js', data: 'x' }])],
  'a manifest in a folder only': ['top_level', () => buildZip([{ path: 'sample/manifest.json', data: '{}' }])],
  'a climb out of the folder': ['path', () => named('../evil.js')],
  'a climb out in the middle': ['path', () => named('ui/../../evil.js')],
  'an absolute path': ['path', () => named('/etc/cron.d/evil')],
  'a backslash': ['path', () => named('ui\\..\\..\\evil.js')],
  'a drive letter': ['path', () => named('C:/evil.js')],
  'a zero byte in a name': ['path', () => named('ui/a.js\0.txt')],
  'an empty segment': ['path', () => named('ui//a.js')],
  'a dot segment': ['path', () => named('ui/./a.js')],
  'a hidden file': ['path', () => named('ui/.htaccess')],
  'a trailing dot': ['path', () => named('ui/a.js.')],
  'a device name': ['path', () => named('ui/NUL.txt')],
  'a device name as a folder': ['path', () => named('ui/com1/a.txt')],
  'a name in Unicode': ['path', () => named('ui/über.html')],
  'a name that turns right to left': ['path', () => named('ui/a\u202elmth.js')],
  'a name of overlong UTF-8': ['path', () => named(Buffer.from([0x75, 0x69, 0x2f, 0xc0, 0xae, 0x61]))],
  'an empty name': ['path', () => named('')],
  'a folder entry': ['path', () => named('ui/')],
  'a name longer than 200 bytes': ['path_length', () => named(`ui/${'a'.repeat(200)}`)],
  'a path 16,000 folders deep': ['path_length', () => named(`ui/${'a/'.repeat(16_000)}a`)],
  'a path 11 folders deep': ['path_depth', () => named(`ui/${'a/'.repeat(10)}a`)],
  'a file at the top with no place': ['top_level', () => named('package.json')],
  node_modules: ['top_level', () => named('node_modules/a/index.js')],
  'a binary module beside the entry': ['top_level', () => named('dist/addon.node')],
  'two manifests': ['duplicate', () => named('manifest.json')],
  'one name in two cases': ['duplicate', () => zip([{ path: 'ui/a.js' }, { path: 'ui/A.js' }])],
  'a folder in two cases': ['duplicate', () => zip([{ path: 'ui/x/a.js' }, { path: 'ui/X/b.js' }])],
  'a file and a folder of one name': ['duplicate', () => zip([{ path: 'ui/a' }, { path: 'ui/a/b.js' }])],
  'one name composed in two ways': [
    'path',
    () =>
      zip([
        { path: 'ui/\u00e9.txt', flags: 0x800 },
        { path: 'ui/e\u0301.txt', flags: 0x800 },
      ]),
  ],
  'a symbolic link': ['mode', () => ui({ mode: 0o120777, data: '/etc/passwd' })],
  'a device': ['mode', () => ui({ mode: 0o020666 })],
  'a folder by its mode': ['mode', () => ui({ mode: 0o040755 })],
  encryption: ['flags', () => ui({ flags: 1 })],
  'strong encryption': ['flags', () => ui({ flags: 0x41 })],
  'a data descriptor': ['flags', () => ui({ flags: 8, method: 8 })],
  'masked headers': ['flags', () => ui({ flags: 0x2000 })],
  'another method': ['method', () => ui({ method: 12, packed: Buffer.from('BZh9') })],
  'AES as a method': ['method', () => ui({ method: 99 })],
  'zip64 sizes': ['zip64', () => ui({ size: 0xffff_ffff, compressedSize: 0xffff_ffff })],
  'a zip64 field': ['extra_field', () => ui({ extra: zip64Extra })],
  'owners that come again and again': ['extra_field', () => ui({ extra: Buffer.from('7578000075780000', 'hex') })],
  'a zip64 field in the local header': ['extra_field', () => ui({ localExtra: zip64Extra })],
  'another name in an extra field': ['extra_field', () => ui({ extra: Buffer.from([0x75, 0x70, 1, 0, 0x61]) })],
  'an extra field cut off': ['extra_field', () => ui({ extra: Buffer.from([0xfe, 0xca, 9, 0]) })],
  'a zip64 count': ['zip64', () => zip([], { count: 0xffff })],
  'another disk': ['disk', () => zip([], { disk: 1 })],
  'a file on another disk': ['disk', () => ui({ disk: 1 })],
  'a comment': ['end_record', () => zip([], { comment: 'PK\x05\x06' })],
  'a comment on a file': ['comment', () => ui({ comment: 'x' })],
  'bytes after the end': ['end_record', () => zip([], { suffix: Buffer.from('x') })],
  'a second zip after the end': ['central_directory', () => Buffer.concat([zip(), zip()])],
  'a program before the zip': ['layout', () => zip([], { prefix: Buffer.from('#!/bin/sh\n') })],
  'a gap between files': ['layout', () => ui({ gap: Buffer.from('hidden') })],
  'a gap before the directory': ['layout', () => zip([], { directoryGap: Buffer.from('hidden') })],
  'overlapping files': ['layout', overlapping],
  'data that reaches into the directory': [
    'layout',
    () => ui({ size: 60, compressedSize: 60, local: { size: 60, compressedSize: 60 } }),
  ],
  'an offset beyond the end': ['layout', () => ui({ offset: 0x7fff_ffff })],
  'fewer files than it says': ['count', () => zip([], { count: 5 })],
  'more files than it says': ['count', () => zip([], { count: 1 })],
  'more than 2,000 files': [
    'count',
    () => zip(Array.from({ length: 2_001 }, (_, index) => ({ path: `ui/${index}.txt` }))),
  ],
  'another name in the local header': ['local_header', () => ui({ local: { path: 'ui/b.txt' } })],
  'another name of the same length, climbing out': ['local_header', () => ui({ local: { path: '../a.txt' } })],
  'another size in the local header': ['local_header', () => ui({ local: { size: 1 } })],
  'another checksum in the local header': ['local_header', () => ui({ local: { crc: 1 } })],
  'another method in the local header': ['local_header', () => ui({ local: { method: 8 } })],
  'other flags in the local header': ['local_header', () => ui({ local: { flags: 8 } })],
  'a wrong checksum': ['checksum', () => ui({ crc: 1 })],
  'two sizes of a stored file': ['file_size', () => ui({ size: 3 })],
  'a file larger than it says': ['inflate', () => ui({ method: 8, size: 3 })],
  'a file smaller than it says': ['inflate', () => ui({ method: 8, size: 300 })],
  'deflate that is none': ['inflate', () => ui({ method: 8, packed: Buffer.from('not deflated at all') })],
  'deflate with bytes after its end': [
    'inflate',
    () => ui({ method: 8, packed: Buffer.concat([deflateRawSync('some text'), Buffer.from('hidden')]) }),
  ],
  'a bomb that says its size': ['ratio', () => zip([{ path: 'ui/bomb', data: zeros(19), method: 8 }])],
  'a bomb that says a small size': [
    'inflate',
    () => zip([{ path: 'ui/bomb', data: zeros(19), method: 8, size: 60_000 }]),
  ],
  'a file larger than 20 MB': ['file_size', () => ui({ size: 21 * 1_048_576, method: 8 })],
  'an entry larger than 2 MB': [
    'file_size',
    () => buildZip([{ path: 'dist/index.js', size: 3 * 1_048_576, method: 8 }, ...sampleEntries().slice(1)]),
  ],
  'a manifest larger than 256 KB': [
    'file_size',
    () => buildZip([{ path: 'manifest.json', data: ' '.repeat(300_000), method: 8 }]),
  ],
  'more than 50 MB in all': [
    'total_size',
    () =>
      zip(Array.from({ length: 900 }, (_, index) => ({ path: `ui/${index}`, data: Buffer.alloc(65_000), method: 8 }))),
  ],
  'more than 20 MB of zip': ['size', () => zip([{ path: 'ui/a', data: zeros(21) }])],
}

/** One of each stage, which go the whole way through a process of their own; the others are read as there, but here. */
const wholeWay = ['a file that is no zip', 'a symbolic link', 'a wrong checksum', 'a bomb that says a small size']

describe('opening a hostile archive', () => {
  let reader: Awaited<ReturnType<typeof createReader>>
  before(async () => (reader = await createReader()))
  after(() => reader[Symbol.asyncDispose]())

  for (const [name, [rule, make]] of Object.entries(archives)) {
    it(`refuses ${name}`, async () => {
      const zip = make()
      const started = performance.now()
      const read = await reader.read(zip)
      deepEqual([read.code, read.rule, read.strays], [4009, rule, []])
      ok(performance.now() - started < 2_000, 'takes too long')
    })
  }

  for (const name of wholeWay) {
    it(`refuses ${name} in a process of its own, and leaves nothing`, async () => {
      const [rule, make] = archives[name] ?? ['', () => Buffer.alloc(0)]
      await using scratch = await makeScratch()
      const path = await scratch.write('pkg.zip', make())
      const started = performance.now()
      const refusal = await openPackage(path, join(scratch.path, 'tree')).then(
        () => undefined,
        (error: unknown) => error,
      )
      ok(refusal instanceof AppError, String(refusal))
      deepEqual([refusal.code, refusal.details?.['rule']], [4009, rule], refusal.message)
      ok(performance.now() - started < 5_000, 'takes too long')
      deepEqual(await readdir(scratch.path), ['pkg.zip'])
    })
  }

  it('takes what unpacks to as much as it may, and not to a byte more', () => {
    const { ratio } = packageLimits
    const packed = Buffer.alloc(2_000, 1)
    const scan = (size: number) => prescan(zip([{ path: 'ui/a.txt', method: 8, packed, size }]), packageLimits)
    ok(scan(packed.length * ratio).some(({ path }) => path === 'ui/a.txt'))
    throws(() => scan(packed.length * ratio + 1), /more than/)
  })

  it('does not follow a link to a package', async () => {
    await using scratch = await makeScratch()
    const path = await scratch.write('real.zip', zip())
    await symlink(path, join(scratch.path, 'pkg.zip'))
    await rejects(openPackage(join(scratch.path, 'pkg.zip'), join(scratch.path, 'tree')), /ELOOP/)
  })

  it('opens into an empty folder only, and leaves one that is not empty alone', async () => {
    await using scratch = await makeScratch()
    const path = await scratch.write('pkg.zip', zip())
    await mkdir(join(scratch.path, 'tree/dist'), { recursive: true })
    await rejects(openPackage(path, join(scratch.path, 'tree')), /empty folder/)
    ok(existsSync(join(scratch.path, 'tree/dist')))
  })

  it('stops when it is no longer wanted', async () => {
    await using scratch = await makeScratch()
    const path = await scratch.write('pkg.zip', zip())
    const stop = new AbortController()
    const opening = openPackage(path, join(scratch.path, 'tree'), { signal: stop.signal })
    stop.abort(new Error('no longer wanted'))
    await rejects(opening, /no longer wanted/)
    deepEqual(await readdir(scratch.path), ['pkg.zip'])
  })
})
