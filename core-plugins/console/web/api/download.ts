import { send, type RequestOptions } from './client.ts'

/** Saves what a path answers as a file, under the name that it gives or this one. */
export async function download(path: string, name: string, query: RequestOptions['query'] = {}): Promise<void> {
  const response = await send('GET', path, { query, accept: '*/*' })
  const given = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  saveFile(await response.blob(), given ?? name)
}

/** Hands a file that was made here to the browser. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
