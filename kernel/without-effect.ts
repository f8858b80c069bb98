import type { AppError } from './errors.ts'

const harmless = new WeakSet<AppError>()

/** Marks an error before which nothing was done: under an Idempotency-Key the request may be tried again. */
export function withoutEffect(error: AppError): AppError {
  harmless.add(error)
  return error
}

/** Whether it is proven that nothing was done before this error. */
export function isWithoutEffect(error: AppError): boolean {
  return harmless.has(error)
}
