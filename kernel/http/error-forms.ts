import type { AppError } from '../errors.ts'
import type { ToldError } from '../locale/text-teller.ts'
import { defineService } from '../service.ts'

/** What is asked of the request whose failure is to be told. */
interface FailedRequest {
  readonly path: string
  readonly traceId: string
}

/** The body of an error where callers speak another interface than the platform's own; status and headers stay the error's. */
export type ErrorForm = (error: AppError, told: ToldError, request: FailedRequest) => unknown

/** Knows which paths tell errors in a form of their own, those that no route is behind included. */
export interface ErrorForms {
  find(path: string): ErrorForm | undefined
}

/** Provided by whoever answers in the words of another interface. */
export const errorForms = defineService<ErrorForms>('kernel.error_forms')
