/** The sandbox host that a plugin shares with others, told by its name alone: it is in the same one whoever asks. */
export function sharedLaneOf(plugin: string, lanes = 2): string {
  return `shared-${hash(plugin) % lanes}`
}

function hash(text: string): number {
  let value = 0
  for (const letter of text) value = (Math.imul(value, 31) + letter.charCodeAt(0)) >>> 0
  return value
}
