import type { Fence } from '../mutation.ts'

const runSteps = 'core-plugins/plugins/operations/run-steps.ts'
const steps = 'test/core-plugins/plugins/steps.test.ts'

/** What has happened to a plugin is finished and never undone; what has not leaves nothing. */
export const operations: Fence = {
  name: 'operations',
  mutations: [
    {
      name: 'operation-committed-and-undone',
      file: runSteps,
      before: 'return !committed && !isLeft &&',
      after: 'return (!committed || committed) && !isLeft &&',
      tests: [steps],
      why: 'The steps before a release that runs are undone beneath it.',
    },
    {
      name: 'operation-undone-by-a-late-host',
      file: runSteps,
      before: '!signal.aborted && !(error instanceof OperationTakenOverError)',
      after: '!signal.aborted && error !== OperationTakenOverError',
      tests: [steps],
      why: 'A late host undoes what another one is doing.',
    },
    {
      name: 'operation-unfinished-and-ended',
      file: 'core-plugins/plugins/operations/endings.ts',
      before: 'if (endsOperation(error)) return error',
      after: 'if (endsOperation(error) || error) return error as AppError',
      tests: [steps],
      why: 'What is left to do of a removal is given up at its first failure.',
    },
  ],
}
