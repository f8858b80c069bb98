/** Lines as a file of comma-separated values, in which no cell is taken for a formula. */
export function commaSeparated(lines: readonly (readonly string[])[]): Blob {
  const text = lines.map((cells) => cells.map(cellOf).join(',')).join('\r\n')
  return new Blob(['\uFEFF', text], { type: 'text/csv' })
}

function cellOf(text: string): string {
  const harmless = /^[=+@\t\r]|^-(?![\d.])/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
