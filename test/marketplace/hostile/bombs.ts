import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { sampleEntries } from '../sample-package.ts'
import { buildZip, type ForgedEntry } from '../zip-builder.ts'
import { withEntries, zeros, type Cases } from './forge.ts'

const megabyte = 1_048_576
const files = (count: number, make: (index: number) => Partial<ForgedEntry>): Buffer =>
  withEntries(Array.from({ length: count }, (_, index) => ({ path: `ui/${index}.txt`, ...make(index) })))

/** A million blocks that hold nothing: many bytes to read, none to write. */
const emptyBlocks = (count: number): Buffer =>
  Buffer.concat([Buffer.alloc(count * 5, Buffer.from([0, 0, 0, 0xff, 0xff])), Buffer.from([3, 0])])

/** Archives that cost more than they weigh. */
export const bombs: Cases = {
  'a bomb that says its size': () => withEntries([{ path: 'ui/a', data: zeros(19 * megabyte), method: 8 }]),
  'a bomb that says a small size': () =>
    withEntries([{ path: 'ui/a', data: zeros(19 * megabyte), method: 8, size: 9 }]),
  'a bomb that says as much as is free': () =>
    withEntries([{ path: 'ui/a', data: zeros(200 * megabyte), method: 8, size: 65_536 }]),
  'a bomb that says what the ratio allows': () =>
    withEntries([{ path: 'ui/a', packed: deflateRawSync(zeros(19 * megabyte)), method: 8, size: 1_900_000 }]),
  'a bomb as a manifest': () => buildZip([{ path: 'manifest.json', data: zeros(19 * megabyte), method: 8 }]),
  'a bomb as a manifest that says a small size': () =>
    buildZip([{ path: 'manifest.json', data: zeros(19 * megabyte), method: 8, size: 200_000 }]),
  'a bomb in each of 700 files': () => files(700, () => ({ data: zeros(65_536), method: 8, size: 65_536 + 9 })),
  '2,000 files of 64 KB': () => files(1_998, () => ({ data: zeros(65_536), method: 8 })),
  'a file of 20 MB and a byte': () => files(1, () => ({ size: 20 * megabyte + 1, method: 8 })),
  'three files of 20 MB': () => files(3, () => ({ method: 8, packed: zeros(300_000), size: 20 * megabyte })),
  '50 MB that are there, and one byte': () =>
    files(3, (index) => ({
      data: Buffer.alloc(17 * megabyte, randomBytes(4_096)),
      method: 8,
      size: 17 * megabyte + index,
    })),
  'all that a package may hold, and a wrong checksum': () =>
    withEntries([
      { path: 'ui/a', data: randomBytes(18 * megabyte) },
      { path: 'ui/b', data: repetitive(16 * megabyte), method: 8 },
      { path: 'ui/c', data: repetitive(15 * megabyte), method: 8, crc: 1 },
    ]),
  'an archive of 20 MB and a byte': () =>
    files(1, () => ({ data: zeros(20 * megabyte) })).subarray(0, 20 * megabyte + 1),
  '2,001 files': () => files(1_999, () => ({})),
  '65,535 files': () => files(65_533, () => ({})),
  '65,536 files, counted as none': () =>
    withEntries(
      Array.from({ length: 65_534 }, (_, index) => ({ path: `ui/${index}.txt` })),
      { count: 0 },
    ),
  'a bomb within a bomb': () => files(1, () => ({ data: nested(4), method: 8, crc: 1 })),
  '17 bombs of 42.zip': () =>
    buildZip(Array.from({ length: 17 }, (_, index) => ({ path: `lib ${index}.zip`, data: nested(2) }))),
  'a million empty blocks': () => files(1, () => ({ method: 8, packed: emptyBlocks(1_000_000), size: 9 })),
  'four million empty blocks that hold nothing': () =>
    files(1, () => ({ method: 8, packed: emptyBlocks(4_000_000), size: 0, crc: 1 })),
  'an entry of 2 MB and a byte': () =>
    buildZip([{ path: 'dist/index.js', data: randomText(2 * megabyte + 1), method: 8 }, ...sampleEntries().slice(1)]),
  'a manifest of 256 KB and a byte': () =>
    buildZip([...sampleEntries().slice(0, 1), { path: 'manifest.json', data: randomText(262_145), method: 8 }]),
  'a README of 256 KB and a byte': () => withEntries([{ path: 'README.md', data: randomText(262_145), method: 8 }]),
  'a licence of 20 MB': () => withEntries([{ path: 'LICENSE', data: randomText(19 * megabyte), method: 8 }]),
  'a signature of 19 MB': () =>
    withEntries([{ path: 'META/signature.json', data: randomText(19 * megabyte), method: 8 }]),
  'a bill of materials of 19 MB': () =>
    withEntries([{ path: 'META/sbom.json', data: randomText(19 * megabyte), method: 8 }]),
  'a source map of 19 MB': () =>
    withEntries([{ path: 'dist/index.js.map', data: randomText(19 * megabyte), method: 8 }]),
  'an icon of 1 MB and a byte': () => withEntries([{ path: 'icon.png', data: randomText(megabyte + 1), method: 8 }]),
  'a directory of 2,000 names of 200 bytes, one of them bad': () =>
    files(1_990, (index) => ({ path: `ui/${String(index).padStart(196, 'a')}${index === 1_989 ? '!' : ''}` })),
}

/** A zip of ten zips of ten zips …, each of the same zeros. */
function nested(levels: number): Buffer {
  const inner = levels === 0 ? zeros(megabyte) : nested(levels - 1)
  return buildZip(
    Array.from({ length: levels === 0 ? 1 : 10 }, (_, index) => ({ path: `${index}.zip`, data: inner, method: 8 })),
  )
}

/** Some fifty times as large as it is packed. */
function repetitive(bytes: number): Buffer {
  const block = randomBytes(4_096)
  const blocks = Array.from({ length: Math.ceil(bytes / 4_120) }, () => [block, randomBytes(24)])
  return Buffer.concat(blocks.flat()).subarray(0, bytes)
}

function randomText(bytes: number): Buffer {
  return Buffer.from(randomBytes(Math.ceil((bytes * 3) / 4)).toString('base64')).subarray(0, bytes)
}
