import { runCommandLine } from '../cli.ts'

const { exitCode, stdout, stderr } = await runCommandLine(process.argv.slice(2), process.stderr)
process.stdout.write(stdout)
process.stderr.write(stderr)
process.exitCode = exitCode
