import { equal, ok } from 'node:assert/strict'
import { stoa, stoaProcess } from '../marketplace/run-stoa.ts'
import { makeScratch } from '../marketplace/sample-package.ts'

describe('what authors begin with', () => {
  it('6.4: has tests that open its page in a browser', async () => {
    await using scratch = await makeScratch()
    const pages = { basic: 'lists notes on its page', tool: 'is shown on its page' }
    for (const [template, told] of Object.entries(pages)) {
      equal((await stoa(scratch.path, 'create', `you.paged-${template}`, '--template', template)).exitCode, 0)
      const tested = await stoaProcess(scratch.path, 'test', `you-paged-${template}`)
      ok(tested.exitCode === 0 && !/ (pending|failing)/.test(tested.stdout), tested.stdout + tested.stderr)
      ok(tested.stdout.includes(told), tested.stdout)
    }
  })
})
