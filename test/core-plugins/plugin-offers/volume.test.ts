import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { StorageWithheldError } from '../../../core-plugins/plugin-offers/errors.ts'
import { createPluginVolume } from '../../../core-plugins/plugin-offers/storage/plugin-volume.ts'

type Parts = Parameters<typeof createPluginVolume>[0]

describe('files that a plugin keeps', () => {
  const asked: string[] = []
  beforeEach(() => void asked.splice(0))

  /** A volume of a plugin that answers so, and has the right to it or not any more. */
  function volumeOf(answers: Readonly<Record<string, unknown>>, denied: readonly string[] = []) {
    const answer = ({ target: { name } }: { readonly target: { readonly name: string } }) => {
      asked.push(name)
      return Promise.resolve(JSON.stringify(answers[name] ?? null))
    }
    const handlers = { put: 'put', get: 'get', delete: 'drop', list: 'list', stat: 'stat' }
    const plugin = { release: {}, grants: { deniedFor: () => new Set(denied) } }
    return createPluginVolume({ name: 'shelf', plugin, handlers, config: {}, sandbox: { answer } } as unknown as Parts)
  }

  it('are given out as they were kept, or not at all', async () => {
    const read = async (bytes: number) => {
      const get = { base64: Buffer.alloc(bytes, 'x').toString('base64') }
      const found = await volumeOf({ stat: { size: 10 }, get }).get('a')
      return buffer(found?.content as Readable).then(
        ({ length }) => length,
        ({ code }: { readonly code: number }) => code,
      )
    }
    assert.deepEqual([await read(10), await read(9), await read(11)], [10, 5029, 5029])
  })

  it('are kept whole or not at all', async () => {
    const put = (bytes: number) =>
      volumeOf({})
        .put('a', Readable.from([Buffer.alloc(bytes, 'x')]), { size: 600_000 })
        .then(
          () => 0,
          ({ code }: { readonly code: number }) => code,
        )
    assert.deepEqual([await put(600_000), asked.splice(0)], [0, ['put', 'put']])
    assert.deepEqual([await put(599_999), asked.splice(0)], [5029, ['put', 'drop']])
    assert.deepEqual([await put(600_001), asked.splice(0)], [5029, ['put', 'drop']])
  })

  it('are out of reach once the right to keep them was taken back', async () => {
    const volume = volumeOf({ stat: { size: 1 } }, ['storage:driver'])
    await assert.rejects(volume.head('a'), StorageWithheldError)
    await assert.rejects(volume.put('a', Readable.from(['x'])), StorageWithheldError)
    assert.deepEqual(asked, [])
  })
})
