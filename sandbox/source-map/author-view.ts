import type { KnownSecrets } from '../broker/known-secrets.ts'
import { isAnswer } from '../wire/outcome-error.ts'
import type { GuestCall } from '../services.ts'
import type { Failure } from '../wire/call.ts'
import { AuthorStacks } from './author-stacks.ts'

/** A failure as the author and the administrator may see it. */
export type AuthorView = (call: Pick<GuestCall, 'release' | 'tenant'>, failure: Failure) => Promise<Failure>

/** What a guest throws reaches the log with the lines of its author's files and without the secrets of its configuration. */
export function createAuthorView(secrets: KnownSecrets, isForTests = false): AuthorView {
  const stacks = new AuthorStacks()
  return async ({ release, tenant }, failure) => {
    const mask = (text: string): string => secrets.mask(release.name, tenant?.id ?? 0, text)
    if (failure.kind === 'load') return loadFailure(failure, async (text) => mask(await stacks.map(release, text)))
    if (failure.kind !== 'threw') return failure
    const { stack, ...error } = failure.error
    const masked = { ...error, message: mask(error.message) }
    // What is thrown to answer a caller is no fault: nobody looks for its line, but for an author whose test expected another answer.
    if (stack === undefined || (isAnswer(error) && !isForTests)) return { ...failure, error: masked }
    return { ...failure, error: { ...masked, stack: mask(await stacks.map(release, stack)) } }
  }
}

/** The engine names a line that it cannot parse in the message itself. */
async function loadFailure(
  { message, stack, ...failure }: Extract<Failure, { kind: 'load' }>,
  show: (text: string) => Promise<string>,
): Promise<Failure> {
  const shown = { ...failure, message: await show(message) }
  return stack === undefined ? shown : { ...shown, stack: await show(stack) }
}
