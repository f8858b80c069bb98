import type { RpcMessage } from '../../../../sandbox/sdk/ui/protocol.ts'

/** What the worker of a port is told. */
export type ToWorker =
  { readonly type: 'port'; readonly port: MessagePort } | { readonly type: 'send'; readonly message: RpcMessage }

/** What it tells: a message of the page, or that the page sent what no page sends. */
export type FromWorker = { readonly type: 'message'; readonly message: RpcMessage } | { readonly type: 'end' }
