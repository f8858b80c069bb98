import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { BackupError } from '../../../core-plugins/backup/backup-error.ts'
import { openStream, sealStream } from '../../../core-plugins/backup/sealing/seal-stream.ts'

const block = 65_536
const sealedBlock = block + 16
const key = randomBytes(32)

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(source))
}

describe('a sealed stream', () => {
  const content = randomBytes(3 * block)
  const seal = (): Promise<Buffer> => collect(sealStream(key, 'a', [content]))
  const open = (sealed: Buffer, name = 'a'): Promise<Buffer> =>
    collect(openStream(key, name, ReadableStream.from([sealed])))

  it('is opened as it was, whatever its length', async () => {
    assert.deepEqual(await open(await seal()), content)
    assert.deepEqual(await open(await collect(sealStream(key, 'a', []))), Buffer.alloc(0))
  })

  it('is not opened where whole blocks were cut off, moved or added', async () => {
    const sealed = await seal()
    const head = sealed.length - 3 * sealedBlock
    const at = (number: number): Buffer =>
      sealed.subarray(head + number * sealedBlock, head + (number + 1) * sealedBlock)
    const start = sealed.subarray(0, head)
    const spoiled = {
      'without the last': [start, at(0), at(1)],
      'without the first': [start, at(1), at(2)],
      'in another order': [start, at(1), at(0), at(2)],
      'with one twice': [start, at(0), at(0), at(1), at(2)],
      'with more behind the last': [start, at(0), at(1), at(2), at(2)],
    }
    for (const [how, blocks] of Object.entries(spoiled))
      await assert.rejects(open(Buffer.concat(blocks)), BackupError, how)
  })

  it('is not opened under the name of another', async () => {
    await assert.rejects(open(await seal(), 'b'), BackupError)
  })
})
