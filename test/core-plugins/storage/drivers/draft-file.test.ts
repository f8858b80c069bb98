import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DraftFile } from '../../../../core-plugins/storage/drivers/local/draft-file.ts'

describe('a file that is written while it comes', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'stoa-draft-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('has every byte in its order, whatever the pieces are', async () => {
    const bytes = randomBytes(1_500_001)
    for (const [index, pieceBytes] of [7_919, 65_536, 400_000, bytes.length].entries()) {
      const file = path.join(folder, String(index))
      const draft = await DraftFile.open(file)
      for (let at = 0; at < bytes.length; at += pieceBytes) await draft.write(bytes.subarray(at, at + pieceBytes))
      assert.equal(await draft.finish(), bytes.length)
      await draft.close()
      assert.ok((await readFile(file)).equals(bytes), `pieces of ${pieceBytes}`)
    }
  })

  it('may be empty or given up, and replaces no other', async () => {
    const file = path.join(folder, 'empty')
    const empty = await DraftFile.open(file)
    assert.equal(await empty.finish(), 0)
    await empty.close()
    await assert.rejects(DraftFile.open(file), { code: 5003 })
    const left = await DraftFile.open(path.join(folder, 'left'))
    await left.write(randomBytes(300_000))
    await left.close()
  })
})
