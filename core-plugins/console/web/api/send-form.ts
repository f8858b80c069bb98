import { currentLocale } from '../tab/i18n.ts'
import { unreachable } from '../session/problem.ts'
import { asCaller } from './client.ts'

/** What a form is sent with. */
interface FormOptions {
  readonly signal: AbortSignal
  /** Hears how many bytes have gone; of a form that is sent again from none. */
  readonly onSent: (bytes: number) => void
  /** How the answer is wanted, as RFC 7240 has it. */
  readonly prefer?: string | undefined
}

/** The data of the answer to a form. Throws a Problem for a refusal. */
export async function sendForm<T>(path: string, form: FormData, options: FormOptions): Promise<T> {
  const response = await answerToForm(path, form, options)
  return ((await response.json()) as { readonly data: T }).data
}

/** The answer to a form; as fetch tells nothing of what has gone, by the older way. Throws a Problem for a refusal. */
export function answerToForm(path: string, form: FormData, options: FormOptions): Promise<Response> {
  return asCaller((token) => once(path, form, options, token))
}

function once(path: string, form: FormData, { signal, onSent, prefer }: FormOptions, token: string | undefined) {
  return new Promise<Response>((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open('POST', path)
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('accept-language', currentLocale())
    request.setRequestHeader('x-requested-with', 'console')
    if (prefer !== undefined) request.setRequestHeader('prefer', prefer)
    if (token !== undefined) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.onprogress = ({ loaded }) => onSent(loaded)
    request.onload = () => resolve(answerOf(request))
    request.onerror = () => reject(unreachable(new Error('the connection was lost')))
    request.onabort = () => reject(signal.reason as Error)
    request.onloadend = () => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort)
    onSent(0)
    request.send(form)
  })
}

function answerOf(request: XMLHttpRequest): Response {
  const passed = ['retry-after', 'location'].flatMap((name) => {
    const value = request.getResponseHeader(name)
    return value === null ? [] : [[name, value] as const]
  })
  const headers = { 'content-type': 'application/json', ...Object.fromEntries(passed) }
  return new Response(request.responseText, { status: request.status, headers })
}
