import { extract, type ExtractRequest } from './extract.ts'

// The opening process: one request, one answer, end. It has no credentials and may write into the staging folder alone.
process.once('message', (request: ExtractRequest) => {
  process.send?.(extract(request), () => process.disconnect())
})
