import { QueryClient } from '@tanstack/vue-query'
import { Problem } from '../session/problem.ts'

/** What the server knows, as far as this tab has asked. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The client itself asks again where that can help; a refusal is an answer.
      retry: (count, error) => count < 2 && !(error instanceof Problem && error.status < 500 && error.status !== 0),
      refetchOnWindowFocus: true,
    },
  },
})
