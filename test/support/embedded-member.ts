import { startEmbeddedPostgres } from '../../kernel/data/embedded-postgres.ts'
import { recordingLog } from './recording-log.ts'

// A process of its own that uses the embedded PostgreSQL of a folder: says where it is, and leaves at the end of its input.
const dataDir = process.argv[2] ?? ''
const postgres = await startEmbeddedPostgres({ dataDir, log: recordingLog().log })
process.stdout.write(`${JSON.stringify({ pid: postgres.pid, url: postgres.url })}\n`)
process.stdin.resume()
process.stdin.on('end', () => void postgres[Symbol.asyncDispose]())
