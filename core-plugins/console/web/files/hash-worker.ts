import { Sha256 } from './sha256.ts'

/** What is told while a file is read: how much of it was, then its hash, or that it cannot be read. */
export type HashMessage = { readonly read: number } | { readonly hash: string } | { readonly fault: string }

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<File>) => void) | null
  postMessage(message: HashMessage): void
}
const between = 8 * 1024 ** 2

scope.onmessage = ({ data: file }) => {
  read(file).catch((error: unknown) => scope.postMessage({ fault: error instanceof Error ? error.message : '' }))
}

async function read(file: File): Promise<void> {
  const hash = new Sha256()
  const reader = file.stream().getReader()
  let total = 0
  let told = 0
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    hash.update(piece.value)
    total += piece.value.length
    if (total - told < between) continue
    told = total
    scope.postMessage({ read: total })
  }
  scope.postMessage({ hash: hash.digest() })
}
