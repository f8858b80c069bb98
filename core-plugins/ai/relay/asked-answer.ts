import { openAnswer } from '../connection/open-answer.ts'
import type { ProviderConnection } from '../connection/provider-connection.ts'
import { readWhole } from '../connection/read-whole.ts'
import type { ProviderCall } from '../connection/call.ts'
import type { NeutralEvent } from '../wire/neutral.ts'
import { SseParser } from '../wire/sse.ts'
import { UpstreamFaultError, type AskedOptions, type AskedReader, type AskedVendor } from '../wire/vendor.ts'
import { pieces } from './pieces.ts'

/** An answer that is handed to somebody else to be read is no larger. */
const mostBytes = 4 * 1_048_576
/** Of a refusal as much is read. */
const mostFaultBytes = 65_536

/** A call that is ready to be sent. */
interface AskedCall {
  readonly connection: ProviderConnection
  readonly vendor: AskedVendor
  readonly call: ProviderCall
  readonly reader: AskedReader
  readonly options: AskedOptions
}

/** The steps of an answer that comes as a whole. Throws an UpstreamFaultError or a ProviderCallError. */
export async function askWhole({ connection, vendor, call, reader, options }: AskedCall) {
  const { status, headers, body } = await readWhole(connection, call, { maxBytes: mostBytes, signal: options.signal })
  const text = body.toString('utf8')
  if (status >= 300) throw new UpstreamFaultError(await vendor.fault(status, headers, text, options))
  return reader.read([{ data: text }])
}

/**
 * The steps of an answer as it streams: what comes while somebody thinks about a batch makes up the next one. Ends with the stream; throws
 * an UpstreamFaultError or a ProviderCallError.
 */
export async function* askStream(asked: AskedCall): AsyncGenerator<readonly NeutralEvent[]> {
  const { connection, vendor, call, reader, options } = asked
  const answer = await openAnswer(connection, call, options.signal)
  const { status, headers, body } = answer
  try {
    if (status >= 300) {
      answer.began()
      const text = await readText(body)
      throw new UpstreamFaultError(await vendor.fault(status, headers, text, options))
    }
    const isStream = /^text\/event-stream\b/i.test(headers['content-type'] ?? '')
    const sse = new SseParser()
    let whole = ''
    for await (const piece of pieces(body)) {
      if (!isStream) {
        whole += piece.toString('latin1')
        if (whole.length > mostBytes) throw tooLarge()
        continue
      }
      const steps = await reader.read(sse.push(piece))
      if (steps.some(saysSomething)) answer.began()
      if (steps.length > 0) yield steps
    }
    if (!isStream) yield await reader.read([{ data: Buffer.from(whole, 'latin1').toString('utf8') }])
  } finally {
    body.destroy()
  }
}

function saysSomething({ type }: NeutralEvent): boolean {
  return type === 'text' || type === 'reasoning' || type === 'tool_call' || type === 'refusal'
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const read: Buffer[] = []
  let bytes = 0
  for await (const piece of body) {
    read.push(piece)
    if ((bytes += piece.length) >= mostFaultBytes) break
  }
  return Buffer.concat(read).toString('utf8').slice(0, mostFaultBytes)
}

function tooLarge(): UpstreamFaultError {
  return new UpstreamFaultError({ class: 'bad_response', status: 0, message: 'The answer is too large' })
}
