/** What goes wrong in a page, as its author reads it. */
export interface PageFault {
  readonly message: string
  readonly stack?: string | undefined
  /** Files that are not there, by their addresses, and the script that asks for them, itself or by what it imports. */
  readonly missing?: { readonly by: string; readonly files: readonly string[] }
}

/** Hears of what a page throws and of what its policy refuses it, until the returned function is called. */
export function watchFaults(tell: (fault: PageFault) => void): () => void {
  const listening = new AbortController()
  const { signal } = listening
  addEventListener(
    'error',
    ({ message, error, filename, lineno, colno }: Omit<ErrorEvent, 'error'> & { readonly error: unknown }) =>
      tell({ message, stack: stackOf(error, filename, lineno, colno) }),
    { signal },
  )
  addEventListener(
    'unhandledrejection',
    ({ reason }: { readonly reason: unknown }) =>
      tell({ message: String(reason), stack: reason instanceof Error ? reason.stack : undefined }),
    { signal },
  )
  addEventListener(
    'securitypolicyviolation',
    ({ effectiveDirective, blockedURI, sourceFile, lineNumber, columnNumber }) =>
      tell({
        message: `The policy of pages refuses ${blockedURI || 'inline'} (${effectiveDirective})`,
        stack: placeOf(sourceFile || location.href, lineNumber, columnNumber),
      }),
    { signal },
  )
  return () => listening.abort()
}

/** Of an error without a line of its own, as one of syntax, the place that the browser tells. */
function stackOf(error: unknown, file: string, line: number, column: number): string | undefined {
  const stack = error instanceof Error ? error.stack : undefined
  if (!file || stack?.includes(`${file}:${line}`)) return stack
  return `${stack ?? ''}\n${placeOf(file, line, column)}`
}

function placeOf(file: string, line: number, column: number): string {
  return `    at ${file}${line > 0 ? `:${line}:${column}` : ''}`
}
