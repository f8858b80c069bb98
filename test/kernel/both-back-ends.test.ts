import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'

const tag = '// @both-back-ends\n'
/** On a file whose hosts make an embedded database of their own whatever the run is given: a second run would be the same. */
const ownTag = '// @own-back-end\n'
/** What only a file says that is about Redis, or about several hosts on one database. */
const depends =
  /\b(itOnRedis|isShared|testRedisUrl|startBackEnd|startOperatorBackEnd|openTestStore)\b|\/(cluster-world|host-process|process)\.ts'/
/** What reaches the back end of a run. */
const reaches =
  /\b(itOnRedis|isShared|testRedisUrl|startBackEnd|startOperatorBackEnd|openTestStore|createTestDatabase|startPlatform|startTestKernel|startTestPlatform)\b|world\.ts'|process\.env/

describe('the tests of both back ends', () => {
  it('are all that ask for Redis or for several hosts', () => {
    const files = globSync('test/{kernel,core-plugins,sandbox,marketplace}/**/*.test.ts')
    const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
    const isTagged = (file: string) => [tag, ownTag].some((each) => texts.get(file)?.startsWith(each))
    const untagged = files.filter((file) => !isTagged(file) && depends.test(texts.get(file) ?? ''))
    assert.deepEqual(
      untagged.filter((file) => !file.endsWith('both-back-ends.test.ts')),
      [],
    )
    assert.ok(files.some((file) => texts.get(file)?.startsWith(tag)))
    const own = files.filter((file) => texts.get(file)?.startsWith(ownTag))
    assert.deepEqual(
      own.filter((file) => reaches.test(texts.get(file) ?? '')),
      [],
    )
  })
})
