import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { modules, type TriedModule } from './list.ts'
import { tryModule, type Trial } from './try-module.ts'
import { summarise, writeTable } from './write-table.ts'

// Installs modules of npm apart from the project, tries each in a plugin of its own, and writes down how they do.
const { values } = parseArgs({ options: { only: { type: 'string' } } })
const only = values.only?.split(',')
const chosen = modules.filter(({ name }) => !only || only.includes(name))
if (chosen.length === 0) throw new Error('No module is meant')

const scratch = await mkdtemp(path.join(tmpdir(), 'stoa-modules-'))
try {
  const trials: Trial[] = []
  for (const module of chosen) {
    const trial = await tryModule(await install(module), module)
    trials.push(trial)
    console.log(`${trial.works ? 'works' : 'FAILS'} ${module.name} ${trial.says ?? ''}`)
  }
  console.log(summarise(trials))
  if (!only) await writeTable(path.join(import.meta.dirname, 'README.md'), trials)
} finally {
  await rm(scratch, { recursive: true, force: true })
}

/** Each in a folder of its own: what one brings along could stand for a module of Node that another asks for. */
async function install({ name, version, beside }: TriedModule): Promise<string> {
  const folder = path.join(scratch, name.replace('/', '-'))
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  await promisify(execFile)('npm', ['install', ...options, `${name}@${version}`, ...beside], { cwd: folder })
  return folder
}
