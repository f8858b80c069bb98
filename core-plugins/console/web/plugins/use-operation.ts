import { useQuery, useQueryClient } from '@tanstack/vue-query'
import { answerToForm } from '../api/send-form.ts'
import { call, send, type RequestOptions } from '../api/client.ts'
import { Problem, type ProblemBody } from '../session/problem.ts'
import type { Operation } from './wire.ts'

const pollMilliseconds = 1_000
/** What is quick is seen to end soon. */
const firstMilliseconds = 150

/** An operation as it is now: one that runs is read again each second, until it does not. */
export function useOperation(operation: Operation) {
  const path = placeOf(operation)
  return useQuery({
    queryKey: [path],
    initialData: operation,
    queryFn: ({ signal }) => call<Operation>('GET', path, { signal }),
    // A host that dies comes back, or another one goes on with it.
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? pollMilliseconds : false),
  })
}

/** A package that is sent, and who hears how much of it has gone. */
export interface PackageForm {
  readonly body: FormData
  readonly signal: AbortSignal
  readonly onSent: (bytes: number) => void
}

/** Does things to plugins that take a while, and follows each to its end. */
export function useFollowing() {
  const client = useQueryClient()

  /** Resolves at the end of the work, throws what it came to nothing for; `onBegun` is told where it can be seen. */
  async function follow(
    method: 'POST' | 'DELETE',
    path: string,
    options: RequestOptions | PackageForm = {},
    onBegun?: (operation: Operation) => void,
  ): Promise<{ readonly plugin: string } | undefined> {
    const prefer = 'respond-async'
    const answer =
      'onSent' in options
        ? await answerToForm(path, options.body, { ...options, prefer })
        : await send(method, path, { ...options, prefer })
    const place = answer.headers.get('location')
    // There was nothing to do.
    if (answer.status !== 202 || place === null) return undefined
    let operation = await read(place)
    if (operation) onBegun?.(operation)
    for (let wait = firstMilliseconds; operation?.state !== 'failed'; wait = Math.min(wait * 2, pollMilliseconds)) {
      if (operation?.state === 'succeeded') return { plugin: operation.plugin }
      if (operation?.state === 'aborted') break
      await new Promise((resolve) => setTimeout(resolve, wait))
      operation = (await read(place)) ?? operation
    }
    throw problemOf(operation)
  }
  /** Undefined while the server cannot be reached: it comes back, or another one goes on with the work. */
  async function read(place: string): Promise<Operation | undefined> {
    try {
      const operation = await call<Operation>('GET', place)
      client.setQueryData([place], operation)
      return operation
    } catch (problem) {
      if (problem instanceof Problem && (problem.status === 0 || problem.status >= 500)) return undefined
      throw problem
    }
  }
  return { follow }
}

/** Where an operation is read. */
export function placeOf({ plugin, id }: Operation): string {
  return `/admin/plugins/${plugin}/operations/${id}`
}

/** What an operation came to nothing for, as the answer would have refused it. */
function problemOf({ error, trace_id: traceId }: Operation): Problem {
  const body: ProblemBody = { ...error, ...(traceId !== null && { trace_id: traceId }) }
  return new Problem(Math.floor((error?.code ?? 5000) / 10), body)
}
