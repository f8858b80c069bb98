import autocannon from 'autocannon'

/** What is fired, and whether each connection stands for a caller of its own. */
interface Load extends autocannon.Options {
  readonly eachACaller: boolean
}

// Fires one request again and again, and prints what came of it.
const { eachACaller, ...load } = JSON.parse(process.argv[2] ?? '{}') as Load
let callers = 0
const setupClient = (client: autocannon.Client): void => {
  callers += 1
  if (eachACaller) client.setHeaders({ ...load.headers, 'x-forwarded-for': `192.0.2.${callers}` })
}
process.stdout.write(JSON.stringify(await autocannon({ ...load, setupClient })))
