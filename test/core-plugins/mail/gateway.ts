import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** One request of the platform's. */
export interface GatewayRequest {
  readonly method: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** An SMS gateway on loopback. */
export interface Gateway extends AsyncDisposable {
  readonly url: string
  /** `host:port`, as EGRESS_ALLOW_PRIVATE takes it. */
  readonly address: string
  readonly requests: readonly GatewayRequest[]
  /** What it answers, with where a redirect leads. */
  status: number
  /** It takes requests and answers none. */
  isSilent: boolean
}

/** Starts it. */
export async function startGateway(): Promise<Gateway> {
  const requests: GatewayRequest[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ method: request.method, headers: request.headers, body })
      if (!gateway.isSilent) response.writeHead(gateway.status, { location: '/elsewhere' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const gateway: Gateway = {
    url: `http://${address}/sms`,
    address,
    requests,
    status: 200,
    isSilent: false,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return gateway
}
