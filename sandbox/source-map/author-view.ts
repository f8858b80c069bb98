import type { KnownSecrets } from '../broker/known-secrets.ts'
import { entryName } from '../entry-name.ts'
import type { GuestCall } from '../services.ts'
import { tellLimit, toldOf } from '../tell-limit.ts'
import type { Call, Failure } from '../wire/call.ts'
import { isAnswer } from '../wire/outcome-error.ts'
import { AuthorStacks } from './author-stacks.ts'

const frameForm = /^\s+at /

/** A failure as the author and the administrator may see it; `bounds` are those that the call had. */
export type AuthorView = (
  call: Pick<GuestCall, 'release' | 'tenant' | 'target' | 'entry'>,
  failure: Failure,
  bounds: Pick<Call, 'limits' | 'code'>,
) => Promise<Failure>

/**
 * What a guest throws reaches the log with the lines of its author's files and without the secrets of its configuration; a limit
 * with the handler that met it.
 */
export function createAuthorView(secrets: KnownSecrets, isForTests = false): AuthorView {
  const stacks = new AuthorStacks()
  return async ({ release, tenant, target, entry }, failure, bounds) => {
    const mask = (text: string): string => secrets.mask(release.name, tenant?.id ?? 0, text)
    const show = async (text: string): Promise<string> => mask(await stacks.map(release, text))
    if (failure.kind === 'load') return loadFailure(failure, show)
    if (failure.kind === 'limit' || failure.kind === 'timeout') {
      const told = tellLimit(entry ?? entryName(release.manifest, target), failure, bounds)
      return failure.kind === 'timeout' ? { ...failure, told } : { ...(await placeOf(failure, show)), told }
    }
    if (failure.kind !== 'threw') return failure
    const { stack, ...error } = failure.error
    const masked = { ...error, message: mask(error.message) }
    // What is thrown to answer a caller is no fault: nobody looks for its line, but for an author whose test expected another answer.
    if (stack === undefined || (isAnswer(error) && !isForTests)) return { ...failure, error: masked }
    return { ...failure, error: { ...masked, stack: await show(stack) } }
  }
}

/** What the author reads of a limit: the handler and the limit, and below them the own lines that led there, where they are known. */
export function whyLimited(failure: Failure): string | undefined {
  const told = toldOf(failure)
  if (!told) return undefined
  const stack = failure.kind === 'limit' ? failure.stack : undefined
  return stack === undefined ? told.words : `${told.words}\n${stack}`
}

/** How a call ended, for the log that `stoa dev` shows: with the bounds that are its own and not a route's. */
export function endOf({ cpuMs, wallMs }: GuestCall, failure: Failure | undefined) {
  const why = failure && (whyLimited(failure) ?? whatItSaid(failure))
  return { ending: failure?.kind ?? 'done', why, most: { cpuMs, wallMs } }
}

/** What a plugin refused its caller with, which is no fault and has no stack in the log. */
function whatItSaid(failure: Failure): string | undefined {
  if (failure.kind !== 'threw' || !isAnswer(failure.error)) return undefined
  const { code, message } = failure.error
  return code === undefined ? message : `${code}: ${message}`
}

/** The frames of the plugin's own files; the engine's words above them say less than the limit does. */
async function placeOf(
  { stack, ...failure }: Extract<Failure, { kind: 'limit' }>,
  show: (text: string) => Promise<string>,
): Promise<Extract<Failure, { kind: 'limit' }>> {
  const frames = typeof stack === 'string' ? await show(stack) : ''
  const own = frames.split('\n').filter((line) => frameForm.test(line))
  return own.length === 0 ? failure : { ...failure, stack: own.join('\n') }
}

/** The engine names a line that it cannot parse in the message itself. */
async function loadFailure(
  { message, stack, ...failure }: Extract<Failure, { kind: 'load' }>,
  show: (text: string) => Promise<string>,
): Promise<Failure> {
  const shown = { ...failure, message: await show(message) }
  return stack === undefined ? shown : { ...shown, stack: await show(stack) }
}
