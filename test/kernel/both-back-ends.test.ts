import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'

const tag = '// @both-back-ends\n'
/** On a file whose hosts make an embedded database of their own whatever the run is given: a second run would be the same. */
const ownTag = '// @own-back-end\n'
/** On a file that starts processes or borrows from those of several hosts, and tests what is the same on every back end. */
const anyTag = '// @any-back-end\n'
/** What only a file says that asks which back end it has. */
const asks = /\b(itOnRedis|isShared|testRedisUrl|startOperatorBackEnd|openTestStore)\b/
/** What only a file says that is about several hosts on one database, or about processes that it gives one. */
const sharing = /\/(cluster-world|host-process|process|back-end)\.ts'/
/** What reaches the back end of a run. */
const reaches =
  /\b(itOnRedis|isShared|testRedisUrl|startBackEnd|startOperatorBackEnd|openTestStore|createTestDatabase|startPlatform|startTestKernel|startTestPlatform)\b|world\.ts'|process\.env/

describe('the tests of both back ends', () => {
  it('are all that ask for Redis or for several hosts', () => {
    const files = globSync('test/{kernel,core-plugins,sandbox,marketplace}/**/*.test.ts')
    const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
    const textOf = (file: string) => texts.get(file) ?? ''
    const isTagged = (file: string) => [tag, ownTag, anyTag].some((each) => textOf(file).startsWith(each))
    const untagged = files.filter((file) => !isTagged(file) && (asks.test(textOf(file)) || sharing.test(textOf(file))))
    assert.deepEqual(
      untagged.filter((file) => !file.endsWith('both-back-ends.test.ts')),
      [],
    )
    assert.ok(files.some((file) => textOf(file).startsWith(tag)))
    const own = files.filter((file) => textOf(file).startsWith(ownTag))
    assert.deepEqual(
      own.filter((file) => reaches.test(textOf(file))),
      [],
    )
    const any = files.filter((file) => textOf(file).startsWith(anyTag))
    assert.deepEqual(
      any.filter((file) => asks.test(textOf(file)) || !sharing.test(textOf(file))),
      [],
    )
  })
})
