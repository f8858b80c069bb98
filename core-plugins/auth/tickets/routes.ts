import { data, defineRoute, UnauthenticatedError, type Route } from '#kernel'
import { secretHeaders } from '../sign-in/present.ts'
import { ticketBody } from './schemas.ts'
import { ticketSeconds, type SessionTickets } from './ws-tickets.ts'

/** Gives a ticket for a WebSocket. */
export function ticketRoute(tickets: SessionTickets): Route {
  return defineRoute({
    method: 'post',
    path: '/auth/ws-ticket',
    idempotent: false,
    summary: 'A one-use ticket that opens a WebSocket as the caller',
    limit: { policy: 'ws_ticket', requests: 60, seconds: 60, by: 'user' },
    schema: { response: ticketBody },
    async handler(ctx) {
      const token = /^bearer +(\S+)$/i.exec(ctx.header('authorization') ?? '')?.[1] ?? ctx.header('x-api-key')
      if (token === undefined) throw new UnauthenticatedError()
      const ticket = await tickets.issue({ token, ip: ctx.state.ip })
      return data({ ticket, expires_in: ticketSeconds }, { headers: secretHeaders })
    },
  })
}
