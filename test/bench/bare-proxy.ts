import { Agent, createServer, request as send } from 'node:http'

// The floor of the gateway: passes requests on and answers back as they come, and knows nothing of either.
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
const [host, port] = ['127.0.0.1', Number(process.env['VENDOR_PORT'])]
const server = createServer((request, response) => {
  if (request.url === '/cpu') {
    const { user, system } = process.cpuUsage()
    return void response.end(JSON.stringify({ milliseconds: (user + system) / 1_000 }))
  }
  const passed = send({ host, port, agent, path: request.url, method: 'POST', headers: request.headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  passed.on('error', () => response.destroy())
  response.on('close', () => passed.destroy())
  request.pipe(passed)
})
server.keepAliveTimeout = 60_000
server.listen(Number(process.env['PORT']), host)
