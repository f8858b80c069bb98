import { Problem } from '../session/problem.ts'
import { say } from '../tab/i18n.ts'
import { LeftOut } from './left-out.ts'

/** Why something was not done, in one sentence. */
export function reasonOf(error: unknown): string {
  return error instanceof Problem || error instanceof LeftOut ? error.message : say('shell.requestFailed')
}
