import { McpAnswerError } from '../errors.ts'
import type { Peer } from '../peer/peer.ts'
import { readTool, type SeenTool } from './read-tool.ts'

const mostPages = 20
/** Of a server; what comes after these is not looked at. */
const mostTools = 256

/** The tools that a server says it has. Throws an error of the code 5021. */
export async function listTools(peer: Pick<Peer, 'request'>, signal: AbortSignal): Promise<readonly SeenTool[]> {
  const found = new Map<string, SeenTool>()
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const params = cursor === undefined ? {} : { cursor }
    const { tools, nextCursor } = await peer.request({ method: 'tools/list', params }, signal)
    if (!Array.isArray(tools)) throw new McpAnswerError({ why: 'it lists no tools' })
    for (const said of tools as readonly unknown[]) {
      const tool = found.size < mostTools ? readTool(said) : undefined
      // Of two tools of one name nobody knows which is called.
      if (tool) found.set(tool.name, found.has(tool.name) ? { ...tool, unfit: 'Its name is there twice' } : tool)
    }
    if (typeof nextCursor !== 'string' || nextCursor === '' || nextCursor === cursor) break
    cursor = nextCursor
  }
  return [...found.values()]
}
