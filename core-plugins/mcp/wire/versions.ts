/** The revision of the protocol in which each request stands alone. */
export const currentRevision = '2026-07-28'
/** The one before, in which a handshake opens a session. */
export const sessionRevision = '2025-11-25'
/** Revisions with sessions that are spoken; the wire of what is offered here is the same in both. */
export const sessionRevisions: readonly string[] = [sessionRevision, '2025-06-18']
/** All that are spoken, the youngest first. */
export const revisions: readonly string[] = [currentRevision, ...sessionRevisions]

/** Members of `_meta` that each request of the current revision has. */
export const metaNames = {
  revision: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId',
} as const
