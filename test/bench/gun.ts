import autocannon from 'autocannon'

/** What is fired, and whether each connection stands for a caller of its own. */
interface Load extends autocannon.Options {
  readonly eachACaller: boolean
}

/** A caller may ask for an image 6,000 times a second at the most, which one connection comes up to. */
const callersEach = 4

// Fires one request again and again, and prints what came of it.
const { eachACaller, ...load } = JSON.parse(process.argv[2] ?? '{}') as Load
let callers = 0
const setupClient = (client: autocannon.Client): void => {
  if (!eachACaller) return
  const requests = Array.from({ length: callersEach }, () => {
    callers += 1
    return { headers: { ...load.headers, 'x-forwarded-for': `192.0.2.${callers}` } }
  })
  client.setRequests(requests)
}
process.stdout.write(JSON.stringify(await autocannon({ ...load, setupClient })))
