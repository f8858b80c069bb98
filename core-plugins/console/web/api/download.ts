import { call, send, type RequestOptions } from './client.ts'

const own = /^\/api\/public\/attachments\//

/** Saves what a path answers as a file, under the name that it gives or this one. */
export async function download(path: string, name: string, query: RequestOptions['query'] = {}): Promise<void> {
  const response = await send('GET', path, { query, accept: '*/*' })
  const given = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  saveFile(await response.blob(), given ?? name)
}

/** Saves an attachment: from here, or by leading the browser to where it lies, which no script need be let in to. */
export async function downloadAttachment(id: string, name: string): Promise<void> {
  const path = `/attachments/${encodeURIComponent(id)}/download`
  const { redirect_url: url } = await call<{ redirect_url: string }>('GET', path)
  if (own.test(URL.parse(url)?.pathname ?? '')) return download(path, name)
  const link = document.createElement('a')
  Object.assign(link, { href: url, target: '_blank', rel: 'noopener noreferrer' })
  link.click()
}

/** Hands a file that was made here to the browser. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
