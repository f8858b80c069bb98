import type { Fence } from '../mutation.ts'

const dispatch = 'kernel/http/pipeline/dispatch.ts'
const standIns = 'test/kernel/http/absent-routes.test.ts'
const door = 'test/kernel/http/door.test.ts'
const idempotency = 'test/kernel/http/idempotency-unended.test.ts'

/** An answer tells its caller what became of the request, and strangers nothing. */
export const answers: Fence = {
  name: 'answers',
  mutations: [
    {
      name: 'secret-route-told',
      file: dispatch,
      before: 'if (standIn.isSecret && error instanceof AppError && error.status < 404)',
      after: 'if (standIn.isSecret && error instanceof AppError && error.status < 400)',
      tests: [standIns],
      why: 'Strangers learn which plugins are installed.',
    },
    {
      name: 'closed-route-told',
      file: dispatch,
      before: '(known.size > 0 && !standIn.isClosed)',
      after: 'known.size > 0',
      tests: [standIns],
      why: 'Strangers learn which methods a closed path has.',
    },
    {
      name: 'unclear-request-admitted',
      file: 'kernel/http/pipeline/index.ts',
      before: 'app.use(refuseUnclear)\n',
      after: '',
      tests: [door],
      why: 'A request with two hosts is one of each tenant to somebody on its way.',
    },
    {
      name: 'done-and-refused',
      file: 'kernel/http/accept.ts',
      before: "if (request.headers.accept === undefined || (method !== 'GET' && method !== 'HEAD')) return",
      after: "if (request.headers.accept === undefined || method === 'OPTIONS') return",
      tests: [door],
      why: 'What was done looks refused, and is asked for again.',
    },
    {
      name: 'idempotency-answer-of-yesterday',
      file: 'kernel/http/idempotency-store.ts',
      before: ".merge(['fingerprint', 'answer', 'created_at', 'leased_until'])",
      after: ".merge(['fingerprint', 'created_at', 'leased_until'])",
      tests: [idempotency],
      why: 'The answer of another day passes for that of a request which still runs.',
    },
  ],
}
