import { currentLocale } from '../tab/i18n.ts'
import { unreachable } from '../session/problem.ts'
import { asCaller } from './client.ts'

/** What a form is sent with. */
interface FormOptions {
  readonly signal: AbortSignal
  /** Hears how many bytes have gone; of a form that is sent again from none. */
  readonly onSent: (bytes: number) => void
}

/** The data of the answer to a form; as fetch tells nothing of what has gone, by the older way. Throws a Problem for a refusal. */
export async function sendForm<T>(path: string, form: FormData, options: FormOptions): Promise<T> {
  const response = await asCaller((token) => once(path, form, options, token))
  return ((await response.json()) as { readonly data: T }).data
}

function once(path: string, form: FormData, { signal, onSent }: FormOptions, token: string | undefined) {
  return new Promise<Response>((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open('POST', path)
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('accept-language', currentLocale())
    request.setRequestHeader('x-requested-with', 'console')
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
  const retryAfter = request.getResponseHeader('retry-after')
  const headers = { 'content-type': 'application/json', ...(retryAfter !== null && { 'retry-after': retryAfter }) }
  return new Response(request.responseText, { status: request.status, headers })
}
