import assert from 'node:assert/strict'
import { readFileName } from '../../../../core-plugins/attachments/content/file-name.ts'

describe('the name of a file', () => {
  it('is cut between two letters, before its extension', () => {
    const { filename } = readFileName(`${'ä'.repeat(200)}.TXT`)
    assert.equal(filename, `${'ä'.repeat(125)}.txt`)
    assert.equal(readFileName('a. . ..').filename, 'a')
  })

  it('costs little, however long it is', () => {
    const before = process.cpuUsage()
    readFileName(`${'a'.repeat(8_000)}.txt`)
    readFileName(`${'. '.repeat(4_000)}a`)
    const { user } = process.cpuUsage(before)
    assert.ok(user < 150_000, `${user} µs`)
  })
})
