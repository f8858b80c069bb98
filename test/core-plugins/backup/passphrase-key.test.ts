import assert from 'node:assert/strict'
import { BackupError } from '../../../core-plugins/backup/backup-error.ts'
import { createKey, openKey } from '../../../core-plugins/backup/sealing/passphrase-key.ts'

describe('the key of a backup', () => {
  it('is made of the passphrase and of nothing shorter than twelve characters', async () => {
    await assert.rejects(createKey('eleven char'), BackupError)
    const { recipe, key } = await createKey('twelve chars')
    assert.deepEqual(await openKey('twelve chars', recipe), key)
    await assert.rejects(openKey('twelve charS', recipe), BackupError)
  })

  it('is not made by a recipe that costs more than a machine has', async () => {
    const { recipe } = await createKey('twelve chars')
    for (const dear of [{ n: 2 ** 21 }, { r: 17 }, { p: 5 }]) {
      const began = process.memoryUsage().rss
      await assert.rejects(openKey('twelve chars', { ...recipe, ...dear }), /nothing usable of how its key is made/)
      assert.ok(process.memoryUsage().rss - began < 2 ** 30)
    }
  })
})
