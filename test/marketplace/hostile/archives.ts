import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { sampleEntries } from '../sample-package.ts'
import { buildZip, type ForgedEntry } from '../zip-builder.ts'
import { endRecordOf, named, page, patched, withEntries, type Cases } from './forge.ts'

const valid = (): Buffer => withEntries()
const u16 = (value: number): Buffer => Buffer.from([value & 255, value >>> 8])
const field = (id: number, data: Buffer = Buffer.alloc(4)): Buffer => Buffer.concat([u16(id), u16(data.length), data])
const zip64Locator = Buffer.concat([Buffer.from('PK\x06\x07', 'latin1'), Buffer.alloc(16)])
const zip64End = Buffer.concat([Buffer.from('PK\x06\x06', 'latin1'), Buffer.from([44]), Buffer.alloc(51)])
const digitalSignature = Buffer.concat([Buffer.from('PK\x05\x05', 'latin1'), u16(4), Buffer.alloc(4)])
const descriptor = Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), Buffer.alloc(12)])

/** A tar with one file, as a tool would name it. */
function tar(): Buffer {
  const header = Buffer.alloc(512)
  header.write('manifest.json', 0)
  header.write('ustar\x0000', 257)
  return Buffer.concat([header, Buffer.alloc(1_024)])
}

/** Files that are no package of any kind. */
export const otherFiles: Cases = {
  nothing: () => Buffer.alloc(0),
  'one byte': () => Buffer.from('P'),
  'a text': () => Buffer.from('no zip at all'),
  'a page of a web server': () => Buffer.from('<!doctype html><title>404</title>'),
  'JSON of a code host': () => Buffer.from('{"message":"Not Found"}'),
  'a pointer to a large file': () => Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n'),
  'a gzip': () => gzipSync(valid()),
  'a zlib stream': () => deflateSync(valid()),
  'a tar': () => tar(),
  'a tar, zipped by gzip': () => gzipSync(tar()),
  'a 7z': () => Buffer.concat([Buffer.from("7z\xbc\xaf'\x1c", 'latin1'), Buffer.alloc(64)]),
  'a rar': () => Buffer.concat([Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1'), Buffer.alloc(64)]),
  'a program': () => Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(64)]),
  'a PDF': () => Buffer.from('%PDF-1.7\n%%EOF\n'),
  'an image': () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64)]),
  'the manifest alone': () => Buffer.from('{"manifestVersion":1}'),
  'zeros only': () => Buffer.alloc(100_000),
  'end records only': () => Buffer.alloc(220_000, 'PK\x05\x06'),
  'local headers only': () => Buffer.alloc(200_000, 'PK\x03\x04'),
  'the sign of a split archive': () => Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), valid()]),
  'an empty zip': () => buildZip([]),
  'a zip of a zip': () => buildZip([{ path: 'package.zip', data: valid() }]),
  'a Java archive': () =>
    buildZip([
      { path: 'META-INF/MANIFEST.MF', data: 'x', extra: field(0xcafe) },
      { path: 'manifest.json', data: '{}' },
    ]),
  'a document of an office': () =>
    buildZip([
      { path: '[Content_Types].xml', data: 'x' },
      { path: 'word/document.xml', data: 'x' },
    ]),
  'a package of npm': () => buildZip([{ path: 'package/package.json', data: '{}' }]),
}

/** Archives whose records lie, overlap, repeat or hide something. */
export const archives: Cases = {
  'a comment': () => withEntries([], { comment: 'hello' }),
  'a comment that is an end record': () => withEntries([], { comment: 'PK\x05\x06' + '\0'.repeat(18) }),
  'a comment of 64 KB': () => withEntries([], { comment: 'x'.repeat(65_535) }),
  'a comment that is said and not there': () => patched(valid(), -2, [9, 0]),
  'a comment on a file': () => page({ comment: 'x' }),
  'a byte after the end': () => withEntries([], { suffix: Buffer.from([0]) }),
  'a line break after the end': () => withEntries([], { suffix: Buffer.from('\r\n') }),
  'a second end record': () => withEntries([], { suffix: valid().subarray(-22) }),
  'two zips, one after the other': () => Buffer.concat([valid(), valid()]),
  'a package within the offsets of another': () => Buffer.concat([valid(), withEntries([], { directoryOffset: 0 })]),
  'a program before it': () => withEntries([], { prefix: Buffer.from('#!/bin/sh\nrm -rf /\n') }),
  'a page before it': () => withEntries([], { prefix: Buffer.from('<script>alert(1)</script>') }),
  'a program before it that the offsets ignore': () => Buffer.concat([Buffer.from('#!/bin/sh\n'), valid()]),
  'an image before it': () => withEntries([], { prefix: Buffer.from('89504e470d0a1a0a', 'hex') }),
  'bytes between the files': () => page({ gap: Buffer.from('hidden') }),
  'a whole file between the files': () => page({ gap: buildZip([{ path: 'a', data: 'b' }]).subarray(0, 32) }),
  'bytes before the directory': () => withEntries([], { directoryGap: Buffer.from('hidden') }),
  'bytes behind the directory': () => withEntries([], { afterDirectory: Buffer.from('hidden') }),
  'bytes behind the directory that count as it': () =>
    withEntries([], { afterDirectory: Buffer.alloc(46), directorySize: directorySizeOf() + 46 }),
  'a digital signature behind the directory': () => withEntries([], { afterDirectory: digitalSignature }),
  'a zip64 end record': () => withEntries([], { afterDirectory: Buffer.concat([zip64End, zip64Locator]) }),
  'a zip64 locator alone': () => withEntries([], { afterDirectory: zip64Locator }),
  'zip64 in the count': () => withEntries([], { count: 0xffff }),
  'zip64 in the size of the directory': () => withEntries([], { directorySize: 0xffff_ffff }),
  'zip64 in the place of the directory': () => withEntries([], { directoryOffset: 0xffff_ffff }),
  'zip64 in a size': () => page({ size: 0xffff_ffff }),
  'zip64 in both sizes': () => page({ size: 0xffff_ffff, compressedSize: 0xffff_ffff }),
  'zip64 in a place': () => page({ offset: 0xffff_ffff }),
  'zip64 in a local header': () => page({ local: { size: 0xffff_ffff, compressedSize: 0xffff_ffff } }),
  'a zip64 field': () => page({ extra: field(1, Buffer.alloc(24)) }),
  'a zip64 field in a local header': () => page({ localExtra: field(1, Buffer.alloc(16)) }),
  'a version that zip64 needs': () => page({ version: 45 }),
  'a version that does not exist': () => page({ version: 0xff }),
  'two versions': () => page({ local: { version: 10 } }),
  'another name in an extra field': () =>
    page({ extra: field(0x7075, Buffer.from('\x01\0\0\0\0../../evil', 'latin1')) }),
  'a comment in an extra field': () => page({ extra: field(0x6375) }),
  'AES in an extra field': () => page({ extra: field(0x9901, Buffer.alloc(7)) }),
  'a link in an extra field of Unix': () =>
    page({ extra: field(0x000d, Buffer.from('\0'.repeat(12) + '/etc/passwd')) }),
  'a link in an extra field of ASi': () => page({ extra: field(0x756e, Buffer.alloc(18)) }),
  'an access list in an extra field': () => page({ extra: field(0x4453, Buffer.alloc(20)) }),
  'bytes hidden in an extra field': () => page({ extra: field(0xbeef, Buffer.alloc(60_000)) }),
  'bytes hidden in a local extra field': () => page({ localExtra: field(0xbeef, Buffer.alloc(60_000)) }),
  'an extra field cut off': () => page({ extra: Buffer.from([0x55, 0x54, 9, 0]) }),
  'an extra field of three bytes': () => page({ extra: Buffer.from([1, 2, 3]) }),
  'another disk': () => withEntries([], { disk: 1 }),
  'another disk for the directory': () => patched(valid(), endRecordOf(valid()) + 6, [1, 0]),
  'a file on another disk': () => page({ disk: 1 }),
  'a file on a disk of zip64': () => page({ disk: 0xffff }),
  'two counts': () => withEntries([], { countHere: 1 }),
  'a file that is not counted': () => withEntries([{ path: 'ui/a' }], { count: 2 }),
  'a file that is not there': () => withEntries([], { count: 3 }),
  'no file counted': () => withEntries([], { count: 0 }),
  'a directory that begins too early': () => withEntries([], { directoryOffset: 10 }),
  'a directory that begins too late': () => withEntries([], { directoryOffset: 10_000 }),
  'a directory of no size': () => withEntries([], { directorySize: 0 }),
  'a directory that is too large': () => withEntries([], { directorySize: 10_000_000 }),
  'a place behind the end': () => page({ offset: 0x7fff_ffff }),
  'a place that is negative': () => page({ offset: 0xffff_fffe }),
  'a place in the middle of another file': () => page({ offset: 40 }),
  'the place of the file before': () => page({ offset: 0 }),
  'one entry listed twice': () => listedTwice(),
  'two names for one content': () => sharing('ui/b.txt'),
  'a kernel of 1,000 names for one content': () => sharedKernel(1_000),
  'a file within a file': () => quoted(),
  'another name in the local header': () => page({ local: { path: 'ui/b.txt' } }),
  'a climb in the local header': () => page({ local: { path: '../a.txt' } }),
  'a longer name in the local header': () => page({ local: { path: 'ui/a.txt.html' } }),
  'another case in the local header': () => page({ local: { path: 'ui/A.txt' } }),
  'another size in the local header': () => page({ local: { size: 1 } }),
  'another packed size in the local header': () => page({ local: { compressedSize: 1 } }),
  'no size in the local header': () => page({ local: { size: 0, compressedSize: 0, crc: 0 } }),
  'another checksum in the local header': () => page({ local: { crc: 1 } }),
  'another method in the local header': () => page({ local: { method: 8 } }),
  'other flags in the local header': () => page({ local: { flags: 0x800 } }),
  'a data descriptor': () => page({ flags: 8, gap: descriptor }),
  'a data descriptor in the local header alone': () => page({ local: { flags: 8 } }),
  'a wrong checksum': () => page({ crc: 0xdead_beef }),
  'a checksum of nothing': () => page({ crc: 0 }),
  'a stored file that is shorter than it says': () => page({ size: 100 }),
  'a stored file that is longer than it says': () => page({ size: 3 }),
  'a deflated file that is shorter than it says': () => page({ method: 8, size: 100 }),
  'a deflated file that is longer than it says': () => page({ method: 8, size: 3 }),
  'a deflated file that says nothing': () => page({ method: 8, size: 0, crc: 0 }),
  'a deflated file without an end': () => page({ method: 8, packed: Buffer.from([0]) }),
  'a deflated file of no bytes': () => page({ method: 8, packed: Buffer.alloc(0) }),
  'a deflated file that is none': () => page({ method: 8, packed: Buffer.from('not deflated at all') }),
  'a deflated file of a reserved block': () => page({ method: 8, packed: Buffer.from([7]) }),
  'a deflated file that reaches before its start': () => page({ method: 8, packed: Buffer.from('4b04a2', 'hex') }),
  'bytes behind a deflated file': () =>
    page({ method: 8, packed: Buffer.concat([deflateRawSync('some text'), Buffer.from('hidden')]) }),
  'a zlib stream as a deflated file': () => page({ method: 8, packed: deflateSync('some text') }),
  'a gzip as a deflated file': () => page({ method: 8, packed: gzipSync('some text') }),
  'a file of 4 GB': () => page({ method: 8, size: 0xffff_fffe }),
  'a packed file of 4 GB': () => page({ compressedSize: 0xffff_fffe, size: 0xffff_fffe }),
}

/** Flags, methods and modes that no package has; each bit and each method by its number. */
export const marks: Cases = Object.fromEntries([
  ...Array.from({ length: 16 }, (_, bit) => bit)
    .filter((bit) => bit !== 11)
    .map((bit) => [`the flag ${bit}`, () => page({ flags: 1 << bit })] as const),
  ...[1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 14, 16, 18, 19, 20, 93, 94, 95, 96, 97, 98, 99, 255, 0xffff].map(
    (method) => [`the method ${method}`, () => page({ method, packed: Buffer.from('some text') })] as const,
  ),
  ...Object.entries({
    'a symbolic link': 0o120777,
    'a folder': 0o040755,
    'a named pipe': 0o010644,
    'a socket': 0o140755,
    'a device of characters': 0o020666,
    'a device of blocks': 0o060660,
    'a whiteout': 0o160000,
    'no type that exists': 0o170000,
    'a program of its owner': 0o104755,
    'a program of its group': 0o102755,
    'a sticky file': 0o101755,
  }).map(([name, mode]) => [name, () => page({ mode, data: '/etc/passwd' })] as const),
  ...Object.entries({ 'a folder of DOS': 0x10, 'a label of DOS': 0x08, 'a device of DOS': 0x40 }).map(
    ([name, attributes]) => [name, () => page({ mode: 0, attributes })] as const,
  ),
])

function directorySizeOf(): number {
  return valid().readUInt32LE(endRecordOf(valid()) + 12)
}

function listedTwice(): Buffer {
  const zip = valid()
  const start = zip.readUInt32LE(endRecordOf(zip) + 16)
  const directory = zip.subarray(start, endRecordOf(zip))
  const end = Buffer.from(zip.subarray(endRecordOf(zip)))
  end.writeUInt16LE(4, 8)
  end.writeUInt16LE(4, 10)
  end.writeUInt32LE(directory.length * 2, 12)
  return Buffer.concat([zip.subarray(0, start), directory, directory, end])
}

function sharing(path: string): Buffer {
  const [first, ...rest] = sampleEntries()
  return buildZip([...(first ? [first] : []), ...rest, { path, data: 'x', offset: 0 }])
}

/** Many names of one compressed kernel: the way a small archive becomes a large tree. */
function sharedKernel(names: number): Buffer {
  const packed = deflateRawSync(Buffer.alloc(60_000))
  const first: ForgedEntry = { path: 'ui/kernel', data: Buffer.alloc(60_000), method: 8, packed }
  const before = withEntries().readUInt32LE(endRecordOf(withEntries()) + 16)
  const others = Array.from({ length: names }, (_, index): ForgedEntry => ({
    ...{ path: `ui/${index}`, data: Buffer.alloc(60_000), method: 8, packed: Buffer.alloc(0), offset: before },
    compressedSize: packed.length,
  }))
  return withEntries([first, ...others])
}

/** The local header of the second file is the content of the first. */
function quoted(): Buffer {
  const inner = buildZip([{ path: 'ui/b.txt', data: 'inner' }])
  const local = inner.subarray(0, 30 + 'ui/b.txt'.length + 'inner'.length)
  const before = withEntries().readUInt32LE(endRecordOf(withEntries()) + 16)
  const offset = before + 30 + 'ui/a.txt'.length
  return withEntries([
    { path: 'ui/a.txt', data: local },
    { path: 'ui/b.txt', data: 'inner', packed: Buffer.alloc(0), compressedSize: 5, offset },
  ])
}

/** A valid package cut off: at each of so many places. */
export function truncated(places: number): Cases {
  const zip = named('ui/a.txt', { data: 'a'.repeat(2_000) })
  const cuts = Array.from({ length: places }, (_, index) => Math.floor((zip.length * index) / places))
  return Object.fromEntries(cuts.map((cut) => [`cut off after ${cut} bytes`, () => zip.subarray(0, cut)]))
}
