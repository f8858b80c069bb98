import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { StorageVolume } from '../../../core-plugins/storage/contract.ts'
import { createLocalVolume } from '../../../core-plugins/storage/drivers/local/local-volume.ts'

const spelled = [
  ...[
    '../secret',
    'ab/../../secret',
    'ab/..',
    './ab/c',
    'ab//c',
    '/etc/passwd',
    'ab/c/',
    '',
    'ab',
    'AB/c',
    'ab/.hidden',
  ],
  ...[
    'ab/c\u0000',
    'ab\\..\\secret',
    'ab/%2e%2e/secret',
    'ab/c\n',
    'incoming/../../secret',
    `ab/${'c'.repeat(300)}`,
    'ab/ c',
  ],
]

describe('a folder of objects', () => {
  let folder: string
  let secret: string
  let volume: StorageVolume
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'stoa-local-'))
    secret = path.join(folder, 'secret')
    await writeFile(secret, 'secret')
    await mkdir(path.join(folder, 'root', 'ab'), { recursive: true })
    volume = createLocalVolume(path.join(folder, 'root'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const codeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'done',
      ({ code }: { code: unknown }) => code,
    )

  it('is left by no location, however it is spelled', async () => {
    for (const location of spelled) {
      const works = [
        volume.get(location),
        volume.head(location),
        volume.delete(location),
        volume.put(location, Readable.from([Buffer.from('x')])),
      ]
      assert.deepEqual(await Promise.all(works.map(codeOf)), [5003, 5003, 5003, 5003], JSON.stringify(location))
    }
    assert.equal(await readFile(secret, 'utf8'), 'secret')
  })

  it('is not left through a link either: it is not read, and a write or delete takes its place', async () => {
    await symlink(secret, path.join(folder, 'root', 'ab', 'link'))
    assert.equal(await codeOf(volume.get('ab/link')), 5003)
    await volume.put('ab/link', Readable.from([Buffer.from('mine')]))
    const found = await volume.get('ab/link')
    assert.equal(await text(found!.content), 'mine')
    await volume.delete('ab/link')
    assert.deepEqual([await volume.head('ab/link'), await readFile(secret, 'utf8')], [undefined, 'secret'])
  })
})
