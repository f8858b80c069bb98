import type { AppError } from '#kernel'
import { CannotCarryError, RequestFieldError } from './errors.ts'

/** 400: a field of the request is not what it must be. */
export function fieldFault(field: string, fault: string): AppError {
  return new RequestFieldError({ field, fault }, { errors: [{ field, rule: 'invalid', message: fault }] })
}

/** 400: the vendor has no word for a field that cannot be left out. */
export function cannotCarry(field: string, fault: string): AppError {
  return new CannotCarryError({ field, fault }, { errors: [{ field, rule: 'cannot_carry', message: fault }] })
}
