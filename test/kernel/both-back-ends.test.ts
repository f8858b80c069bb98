import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'

const tag = '// @both-back-ends\n'
/** What only a file says that is about Redis, or about several hosts on one database. */
const depends =
  /\b(itOnRedis|isShared|testRedisUrl|startBackEnd|startOperatorBackEnd|openTestStore)\b|\/(cluster-world|host-process|process)\.ts'/

describe('the tests of both back ends', () => {
  it('are all that ask for Redis or for several hosts', () => {
    const files = globSync('test/{kernel,core-plugins,sandbox,marketplace}/**/*.test.ts')
    const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
    const untagged = files.filter((file) => !texts.get(file)?.startsWith(tag) && depends.test(texts.get(file) ?? ''))
    assert.deepEqual(
      untagged.filter((file) => !file.endsWith('both-back-ends.test.ts')),
      [],
    )
    assert.ok(files.some((file) => texts.get(file)?.startsWith(tag)))
  })
})
