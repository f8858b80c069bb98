import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { anthropicWire } from './anthropic.ts'
import { deliver } from './deliver.ts'
import { geminiWire } from './gemini.ts'
import { findLane } from './lanes.ts'
import { openAiWire } from './openai.ts'
import { responsesWire } from './openai-responses.ts'
import type { Behaviour } from './behaviour.ts'

const wires = [anthropicWire, geminiWire, responsesWire, openAiWire]

const server = createServer((request, response) => {
  void serve(request, response).catch((error: unknown) => response.destroy(error as Error))
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit())

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://vendor')
  const [, first = '', second = ''] = pathname.split('/')
  if (first === 'control') return control(request, response, second)
  const lane = findLane(first)
  const body = await text(request)
  const record = lane.note(request, response, pathname.slice(first.length + 1), body)
  const own = request.headers['x-fake-upstream']
  const behaviour = typeof own === 'string' ? (JSON.parse(own) as Behaviour) : lane.next(record.method)
  const wire = wires.find((each) => each.serves(record.path, request.headers))
  if (!wire)
    return void response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}')
  await deliver(wire, { request, response, record, behaviour })
}

/** `PUT` tells a lane how to behave, `GET` what it saw, `DELETE` makes it forget. */
async function control(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
  const lane = findLane(name)
  if (request.method === 'PUT') lane.behave(JSON.parse(await text(request)) as Behaviour)
  if (request.method === 'DELETE') lane.forget()
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(lane.records))
}
