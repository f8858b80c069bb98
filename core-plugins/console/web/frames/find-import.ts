/** `import './a.js'`, `… from './a.js'`, `import('./a.js')` of scripts; `src="a.js"`, `href="a.css"` of pages. */
const imported = /\b(?:(?:import|from)(?:\s*\()?|(?:src|href)\s*=)\s*(?<quote>['"])(?<path>[^'"\n]+)\k<quote>/g
const ofText = /\.(m?js|css|html)$/
const mostFiles = 50

/**
 * Where a script, or one that it imports, asks for a file: the line with its file, as errors name them. No browser tells it of a file that is
 * not there; undefined where no text says so, as for a name that is put together.
 */
export async function findImport(script: string, wanted: string, folder: string): Promise<string | undefined> {
  const asked = [script]
  for (const file of asked) {
    const text = await textOf(file)
    for (const { index, 0: whole, groups } of text.matchAll(imported)) {
      const path = groups?.['path'] ?? ''
      const address = URL.parse(path, file)?.href
      if (address === wanted) return `at ${file}${placeIn(text, index + whole.length - path.length - 2)}`
      // What lies elsewhere is not the author's.
      if (!address?.startsWith(folder) || !ofText.test(address)) continue
      if (!asked.includes(address) && asked.length < mostFiles) asked.push(address)
    }
  }
  return undefined
}

async function textOf(file: string): Promise<string> {
  const response = await fetch(file, { credentials: 'omit' }).catch(() => undefined)
  return response?.ok ? response.text() : ''
}

function placeIn(text: string, index: number): string {
  const lines = text.slice(0, index).split('\n')
  return `:${lines.length}:${(lines.at(-1) ?? '').length + 1}`
}
