import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { faultOfSignature, type Credentials } from './s3-signature.ts'
import type { S3Command, S3Fault, S3State } from './s3-server.ts'

const [bucket = '', credentialsText = '{}'] = process.argv.slice(2)
const credentials = JSON.parse(credentialsText) as Credentials
const leastPart = 5 * 1_048_576

interface Kept {
  readonly bytes: Buffer
  readonly type: string
  readonly acl: string
}
interface Upload extends Omit<Kept, 'bytes'> {
  readonly key: string
  readonly parts: Map<number, Buffer>
}

const objects = new Map<string, Kept>()
const uploads = new Map<string, Upload>()
const faults: S3Fault[] = []
let letIn: string | null = null
const seen: { readonly operation: string; readonly key: string }[] = []

const server = createServer((request, response) => {
  void serve(request, response).catch((error: unknown) => response.destroy(error as Error))
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit())
process.on('message', (command: S3Command) => {
  if (command.faults) faults.splice(0, Infinity, ...command.faults)
  if (command.origin !== undefined) letIn = command.origin
  if (command.forget) for (const list of [objects, uploads]) list.clear()
  const asked = seen.splice(0)
  const state: S3State = {
    objects: [...objects].map(([key, { bytes, type, acl }]) => ({
      key,
      size: bytes.length,
      type,
      acl,
      sha256: hash(bytes),
    })),
    uploads: uploads.size,
    seen: asked.map(({ operation }) => operation),
    keys: asked.map(({ key }) => key),
  }
  process.send?.({ id: command.id, state })
})

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url: target = '/', headers } = request
  const url = new URL(target, 'http://service')
  const isPath = url.pathname.split('/')[1] === bucket
  const isHost = (headers.host ?? '').startsWith(`${bucket}.`)
  const key = decodeURIComponent(isPath ? url.pathname.slice(bucket.length + 2) : url.pathname.slice(1))
  const operation = operationOf(method, key, url.searchParams)
  const fault = takeFault(operation)
  // Whoever waits for one that is done once its caller has gone may end the caller then: all that it sends has to be here.
  if (fault?.kind !== 'until-alone') seen.push({ operation, key })
  if (fault?.kind === 'cut-request') return void request.socket.destroy()
  const body = await buffer(request)
  if (letIn !== null && headers.origin === letIn) {
    response.setHeader('access-control-allow-origin', letIn)
    response.setHeader('access-control-allow-methods', 'GET, PUT')
    response.setHeader('access-control-allow-headers', 'content-type, x-amz-acl')
    if (method === 'OPTIONS') return void response.writeHead(204).end()
  }
  if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.milliseconds ?? 1000))
  if (fault?.kind === 'unheard') return
  if (fault?.kind === 'until-alone') {
    seen.push({ operation, key })
    // Whoever gave up before all of it was read here is gone already, and tells that no second time; an error is no less an end.
    if (!request.socket.destroyed) await new Promise((resolve) => request.socket.once('close', resolve))
  }
  if (fault?.kind === 'status') return refuse(response, fault.status ?? 503, fault.code ?? 'SlowDown')
  if (fault?.kind === 'redirect') return void response.writeHead(307, { location: fault.location }).end()
  const wrong = faultOfSignature({ method, target, headers: headers as Record<string, string>, body }, credentials)
  if (wrong) return refuse(response, 403, wrong)
  if (!isPath && !isHost) return refuse(response, 404, 'NoSuchBucket')
  answer(operation, key, url.searchParams, body, request, response, fault)
}

function operationOf(method: string, key: string, query: URLSearchParams): string {
  if (key === '') return query.has('uploads') ? 'uploads' : 'bucket'
  if (query.has('uploads')) return 'create'
  if (!query.has('uploadId')) return method.toLowerCase()
  return { PUT: 'part', POST: 'complete', DELETE: 'abort' }[method] ?? 'unknown'
}

function takeFault(operation: string): S3Fault | undefined {
  const at = faults.findIndex((fault) => fault.on === operation)
  const fault = faults[at]
  if (fault && (fault.times ?? 1) <= 1) faults.splice(at, 1)
  else if (fault) faults[at] = { ...fault, times: (fault.times ?? 1) - 1 }
  return fault
}

function answer(
  operation: string,
  key: string,
  query: URLSearchParams,
  body: Buffer,
  { headers }: IncomingMessage,
  response: ServerResponse,
  fault: S3Fault | undefined,
): void {
  const uploadId = query.get('uploadId') ?? ''
  const upload = uploads.get(uploadId)
  const type = headers['content-type'] ?? ''
  const acl = String(headers['x-amz-acl'] ?? '')
  const etag = `"${createHash('md5').update(body).digest('hex')}"`
  switch (operation) {
    case 'bucket':
      return void response.writeHead(200).end()
    case 'uploads':
      return listUploads(query.get('prefix') ?? '', response)
    case 'put':
      objects.set(key, { bytes: body, type, acl })
      if (fault?.kind === 'cut-answer') return void response.destroy()
      return void response.writeHead(200, { etag }).end()
    case 'get':
    case 'head':
      return read(operation, key, query, headers.range, response, fault)
    case 'delete':
      objects.delete(key)
      return void response.writeHead(204).end()
    case 'create': {
      const id = `${randomUUID()}&<`
      uploads.set(id, { key, type, acl, parts: new Map() })
      return xml(
        response,
        200,
        `<InitiateMultipartUploadResult><UploadId>${shown(id)}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    case 'part':
      if (!upload) return refuse(response, 404, 'NoSuchUpload')
      upload.parts.set(Number(query.get('partNumber')), body)
      return void response.writeHead(200, { etag }).end()
    case 'complete':
      if (!upload) return refuse(response, 404, 'NoSuchUpload')
      return complete(uploadId, upload, body.toString(), response, fault)
    case 'abort':
      uploads.delete(uploadId)
      return void response.writeHead(204).end()
    default:
      return refuse(response, 405, 'MethodNotAllowed')
  }
}

function shown(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function listUploads(prefix: string, response: ServerResponse): void {
  const found = [...uploads].filter(([, { key }]) => key.startsWith(prefix))
  const items = found.map(
    ([id, { key }]) => `<Upload><Key>${shown(key)}</Key><UploadId>${shown(id)}</UploadId></Upload>`,
  )
  xml(
    response,
    200,
    `<ListMultipartUploadsResult><Prefix>${shown(prefix)}</Prefix>${items.join('')}</ListMultipartUploadsResult>`,
  )
}

function read(
  operation: string,
  key: string,
  query: URLSearchParams,
  range: string | undefined,
  response: ServerResponse,
  fault: S3Fault | undefined,
): void {
  const found = objects.get(key)
  if (!found) return refuse(response, 404, 'NoSuchKey')
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  const part = start === undefined ? found.bytes : found.bytes.subarray(Number(start), Number(end) + 1)
  const head: Record<string, string | number> = {
    'content-type': query.get('response-content-type') ?? found.type,
    'content-length': part.length,
  }
  const disposition = query.get('response-content-disposition')
  if (disposition !== null) head['content-disposition'] = disposition
  if (start !== undefined) {
    head['content-range'] = `bytes ${start}-${Number(start) + part.length - 1}/${found.bytes.length}`
  }
  if (fault?.kind === 'short') delete head['content-length']
  response.writeHead(start === undefined ? 200 : 206, head)
  if (operation === 'head') return void response.end()
  if (fault?.kind !== 'cut-answer') return void response.end(part)
  response.write(part.subarray(0, part.length >> 1), () => response.destroy())
}

function complete(
  id: string,
  upload: Upload,
  body: string,
  response: ServerResponse,
  fault: S3Fault | undefined,
): void {
  const named = [...body.matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) => Number(number))
  const parts = named.map((number) => upload.parts.get(number))
  if (fault?.kind === 'error-in-body') return xml(response, 200, '<Error><Code>InternalError</Code></Error>')
  if (parts.includes(undefined)) return refuse(response, 400, 'InvalidPart')
  const isSmall = parts.some((part, at) => at < parts.length - 1 && (part?.length ?? 0) < leastPart)
  if (isSmall) return refuse(response, 400, 'EntityTooSmall')
  const { key, type, acl } = upload
  objects.set(key, { bytes: Buffer.concat(parts as Buffer[]), type, acl })
  uploads.delete(id)
  if (fault?.kind === 'cut-answer') return void response.destroy()
  xml(response, 200, '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const { accessKeyId, secretAccessKey } = credentials
  // Real services name the key here, and this one the secret too: none of it may be seen by anybody.
  xml(
    response,
    status,
    `<Error><Code>${code}</Code><Message>${secretAccessKey}</Message><AWSAccessKeyId>${accessKeyId}</AWSAccessKeyId></Error>`,
  )
}

function xml(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0" encoding="UTF-8"?>${text}`)
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
