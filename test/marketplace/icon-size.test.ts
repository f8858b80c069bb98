import { deepEqual } from 'node:assert/strict'
import { join } from 'node:path'
import { AppError } from '#kernel'
import { openPackage } from '#marketplace'
import { iconSize } from '../../marketplace/package/icon-size.ts'
import { makeScratch, sampleEntries } from './sample-package.ts'
import { buildZip } from './zip-builder.ts'

/** The first bytes of images of 300 × 200 pixels. */
const headers: Readonly<Record<string, string>> = {
  png: '89504e470d0a1a0a 0000000d49484452 0000012c 000000c8 0806000000',
  'lossy webp': '52494646 00000000 57454250 56503820 00000000 000000 9d012a 2c01 c800',
  'lossless webp': '52494646 00000000 57454250 5650384c 00000000 2f 2bc13100 0000000000',
  'extended webp': '52494646 00000000 57454250 56503858 0a000000 00000000 2b0100 c70000',
}
const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const png = (width: number, height: number): Buffer => {
  const image = Buffer.concat([bytes(headers['png'] ?? ''), Buffer.alloc(8)])
  image.writeUInt32BE(width, 16)
  image.writeUInt32BE(height, 20)
  return image
}

describe('the size of an icon', () => {
  for (const [kind, header] of Object.entries(headers)) {
    it(`is read from the header of a ${kind}`, () => {
      deepEqual(iconSize(Buffer.concat([bytes(header), Buffer.alloc(8)])), { width: 300, height: 200 })
    })
  }

  it('is nothing for other files and for those that are cut off', () => {
    deepEqual(
      [
        iconSize(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9"/>')),
        iconSize(png(1, 1).subarray(0, 20)),
      ],
      [undefined, undefined],
    )
  })

  const icons: Readonly<Record<string, [icon: Buffer, details: unknown]>> = {
    'as large as allowed': [png(1024, 1), undefined],
    'too wide': [png(1025, 1), { rule: 'icon', path: 'icon.png' }],
    'without height': [png(1, 0), { rule: 'icon', path: 'icon.png' }],
    'that is no image': [Buffer.from('MZ'), { rule: 'icon', path: 'icon.png' }],
  }
  for (const [name, [icon, details]] of Object.entries(icons)) {
    it(`${details ? 'refuses' : 'allows'} a package with one ${name}`, async () => {
      await using scratch = await makeScratch()
      const entries = [...sampleEntries({ icon: 'icon.png' }), { path: 'icon.png', data: icon }]
      const path = await scratch.write('pkg.zip', buildZip(entries))
      const refusal: unknown = await openPackage(path, join(scratch.path, 'tree')).then(
        () => undefined,
        (error: unknown) => error,
      )
      deepEqual(refusal instanceof AppError ? [refusal.code, refusal.details] : refusal, details && [4009, details])
    })
  }
})
