/** `@scope/name` of a path through node_modules; undefined for the author's own files. */
export function packageOf(file: string | undefined): string | undefined {
  const inside = file?.split('node_modules/').at(-1)
  if (inside === undefined || !file?.includes('node_modules/')) return undefined
  const [first = '', second = ''] = inside.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}
