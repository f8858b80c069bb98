import type { Fence } from '../mutation.ts'

const file = 'sandbox/supervisor/trials.ts'
const tests = ['test/sandbox/supervisor-trials.test.ts']

/** A release that nobody has tried meets nothing that another one left behind. */
export const trials: Fence = {
  name: 'trials',
  mutations: [
    {
      name: 'trials-host-of-a-failed-one-kept',
      file,
      before: 'isClean &&= outcome.ok\n',
      after: '',
      tests,
      why: 'A release that broke its sandbox host is followed by another one in it.',
    },
    {
      name: 'trials-host-kept-in-a-call',
      file,
      before: 'isClean && running === 0 ? codes : undefined',
      after: 'isClean ? codes : undefined',
      tests,
      why: 'A release still runs where the next one is tried.',
    },
    {
      name: 'trials-release-not-forgotten',
      file,
      before: 'for (const id of codes) lane.drop(id)\n',
      after: '',
      tests,
      why: 'What a trial left in its globals is there in the next one.',
    },
    {
      name: 'trials-host-given-twice',
      file,
      before: 'this.#kept = undefined\n    return name',
      after: 'return name',
      tests,
      why: 'Two releases of different authors are tried in one sandbox host at once.',
    },
    {
      name: 'trials-call-after-the-end',
      file,
      before: 'if (isEnded) return refused\n',
      after: '',
      tests,
      why: 'A trial that is over starts a sandbox host that nobody ends.',
    },
  ],
}
