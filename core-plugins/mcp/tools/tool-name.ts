import { createHash } from 'node:crypto'

const longest = 64
const prefix = 'mcp:'

/** How models call a tool: `mcp_<server>_<tool>`. Names of servers have no `_`, so that no two tools have one name. */
export function callNameOf(server: string, tool: string): string {
  const plain = `mcp_${server}_${tool}`.replace(/[^A-Za-z0-9_-]/g, '_')
  const isSame = plain === `mcp_${server}_${tool}` && plain.length <= longest
  return isSame ? plain : `${plain.slice(0, longest - 9)}_${shortHash(tool)}`
}

/** What agents name a server by, beside plugins; no plugin has a colon in its name. */
export function originOf(server: string): string {
  return prefix + server
}

/** The server that agents name so, or undefined for a plugin. */
export function serverOf(origin: string): string | undefined {
  return origin.startsWith(prefix) ? origin.slice(prefix.length) : undefined
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
