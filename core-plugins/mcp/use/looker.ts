import type { Knex } from 'knex'
import { AppError, type Logger } from '#kernel'
import { McpAnswerError, McpTimeoutError } from '../errors.ts'
import type { Terms } from '../peer/peer.ts'
import { McpServerRow } from '../tables.ts'
import { listTools } from '../tools/list-tools.ts'
import type { SeenTool } from '../tools/read-tool.ts'
import type { PeerBook } from './peer-book.ts'
import { pinTools } from './pin-tools.ts'

/** What was found at a server. */
export interface Look {
  readonly terms: Terms
  readonly tools: readonly SeenTool[]
}

/** What looking stands on. */
interface LookerParts {
  readonly db: Knex
  readonly peers: PeerBook
  readonly log: Logger
}

/** All pages together. */
const longestMs = 60_000

/** Asks servers what tools they have, and keeps it. */
export class Looker {
  readonly #parts: LookerParts
  readonly #looking = new Map<string, Promise<Look>>()

  constructor(parts: LookerParts) {
    this.#parts = parts
  }

  /** One look at a time at a server. Throws an error of the code 5021, which is kept, too. */
  look(server: McpServerRow): Promise<Look> {
    const key = `${server.id} ${String(server.version)}`
    const before = this.#looking.get(key)
    if (before) return before
    const look = this.#look(server).finally(() => this.#looking.delete(key))
    this.#looking.set(key, look)
    return look
  }

  /** Looks where the last look is older than this; a server that cannot be looked at is not what it was approved as. */
  async demandFresh(server: McpServerRow, maxAgeMs: number): Promise<void> {
    const { lastLook } = server
    const isFresh = lastLook?.ok === true && Date.now() - Date.parse(lastLook.at) < maxAgeMs
    if (!isFresh) await this.look(server)
  }

  /** The same, in nobody's time. */
  refresh(server: McpServerRow, maxAgeMs: number): void {
    this.demandFresh(server, maxAgeMs).catch((error: unknown) => {
      if (!(error instanceof AppError))
        this.#parts.log.warn({ err: error, server: server.id }, 'a look at an MCP server failed')
    })
  }

  async #look(server: McpServerRow): Promise<Look> {
    const { db, peers } = this.#parts
    const signal = AbortSignal.timeout(longestMs)
    const at = new Date().toISOString()
    try {
      const look = await peers
        .with(server, async (peer) => {
          const tools = await listTools(peer, signal)
          return { tools, terms: await peer.terms(signal) }
        })
        .catch((error: unknown) => {
          throw signal.aborted ? new McpTimeoutError({ cause: error }) : error
        })
      await pinTools(server, look.tools, db).catch((error: unknown) => {
        throw isUnstorable(error) ? new McpAnswerError({ why: 'it cannot be kept' }) : error
      })
      const { revision, info } = look.terms
      await keep(server, { revision, info, lastLook: { at, ok: true } }, db)
      return look
    } catch (error) {
      if (error instanceof AppError) {
        const { code, reason, message } = error
        await keep(server, { lastLook: { at, ok: false, code, reason, message } }, db)
      }
      throw error
    }
  }
}

async function keep(
  { id, tenantId, version }: McpServerRow,
  found: Partial<Pick<McpServerRow, 'revision' | 'info' | 'lastLook'>>,
  db: Knex,
): Promise<void> {
  // Of a server that was changed meanwhile nothing was found.
  await McpServerRow.of(tenantId, db).patch(found).where({ id, version })
}

/** PostgreSQL takes no NUL in texts and JSON. */
function isUnstorable(error: unknown): boolean {
  const { nativeError } = error as { nativeError?: { code?: string } }
  return nativeError?.code === '22P05' || nativeError?.code === '22021'
}
